/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `overheads` of a configuration: what moving a job costs. */
#include <math.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/model/config.h"
#include "sim/model/gpu_cost.h"
#include "sim/model/paths.h"

#define GB 1e9

struct overhead_conf {
    sim_time start, save, restore, image, replica;
    double host, network, disk_write, disk_read;
    const char *calibrations;
};

#define MOST_S    0, 1e6
#define MOST_GBPS 0, 1e6
const struct field overhead_fields[] = {
    {FIELD_SECONDS, "start_s", offsetof(struct overhead_conf, start), "0", MOST_S, NULL,
     "first start of a job: container, CUDA context, graph"},
    {FIELD_SECONDS, "save_s", offsetof(struct overhead_conf, save), "0", MOST_S, NULL,
     "fixed part of a suspend (c_s)"},
    {FIELD_SECONDS, "restore_s", offsetof(struct overhead_conf, restore), "0", MOST_S, NULL,
     "fixed part of a resume (c_r)"},
    {FIELD_SECONDS, "image_s", offsetof(struct overhead_conf, image), "0", MOST_S, NULL,
     "start of the container on another node, added to a relocation"},
    {FIELD_SECONDS, "replica_s", offsetof(struct overhead_conf, replica), "0", MOST_S, NULL,
     "copy of a running job to a further GPU (c_new); the job stands still"},
    {FIELD_REAL, "host_gbps", offsetof(struct overhead_conf, host), "0", MOST_GBPS, NULL,
     "GPU to and from host memory, GB/s; 0: takes no time"},
    {FIELD_REAL, "network_gbps", offsetof(struct overhead_conf, network), "0", MOST_GBPS, NULL,
     "node to node, GB/s"},
    {FIELD_REAL, "disk_write_gbps", offsetof(struct overhead_conf, disk_write), "0", MOST_GBPS,
     NULL, "to storage, GB/s"},
    {FIELD_REAL, "disk_read_gbps", offsetof(struct overhead_conf, disk_read), "0", MOST_GBPS, NULL,
     "from storage, GB/s"},
    {FIELD_TEXT, "calibrations", offsetof(struct overhead_conf, calibrations), "", 0, 0, NULL,
     "folder of calibrations, such as configs/costs/gpus: by GPU type its pinned copies, where "
     "host_gbps is 0, and the creation of a CUDA context, where measured, on top of start_s and "
     "restore_s"},
    {.type = FIELD_END},
};

/* The slower of both directions; 0: neither was measured. */
static double copy_rate(const struct gpu_cost *g)
{
    double in = gpu_cost_figure(g, "copy h2d_pinned"), out = gpu_cost_figure(g, "copy d2h_pinned");

    return isnan(in) && isnan(out) ? 0 : fmin(isnan(in) ? out : in, isnan(out) ? in : out);
}

/* What the calibrations of the cluster's GPU types say. */
static bool from_calibrations(struct config *c, struct arena *a, struct diag *d,
                              const struct tree *folder)
{
    struct world *w = &c->base;

    for (type_id t = 0; t < w->n_types; t++) {
        const char *path = arena_printf(a, "%s/%s.yaml", path_of(a, folder), w->type[t].name);
        if (!file_there(path))
            return diag_error(d, folder->at, "calibrations: there is no %s", path);
        const struct gpu_cost *g = gpu_cost_load(a, d, path);
        if (!g || !config_input(c, d, path))
            return false;
        double context = gpu_cost_figure(g, "context");
        w->type[t].context = isnan(context) ? 0 : (sim_time)llround(context * 1e9);
        w->type[t].host = w->overheads.host > 0 ? 0 : copy_rate(g);
    }
    return true;
}

bool load_overheads(struct config *c, struct arena *a, struct diag *d, struct tree *map)
{
    static const char *const also[] = {"about", NULL};
    struct overhead_conf o;

    if (!conf_fill(a, d, map, overhead_fields, also, "the overheads", &o))
        return false;
    c->base.overheads = (struct overheads){.start = o.start,
                                           .save = o.save,
                                           .restore = o.restore,
                                           .image = o.image,
                                           .replica = o.replica,
                                           .host = o.host * GB,
                                           .network = o.network * GB,
                                           .disk_write = o.disk_write * GB,
                                           .disk_read = o.disk_read * GB};
    return !*o.calibrations || from_calibrations(c, a, d, tree_get(map, "calibrations"));
}
