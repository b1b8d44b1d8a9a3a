/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of a report: escaping, style, script, and the policy that allows these two alone. */
#include <string.h>

#include "analysis/report_page.h"
#include "sim/base/sha256.h"
#include "sim/base/utf8.h"

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;color:#1a1a1a;background:#fff;margin:0}"
    "main{max-width:62rem;margin:0 auto;padding:1rem 1.5rem 4rem}"
    "h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.2rem;margin-top:2.2rem}"
    "h3{font-size:1rem;margin:1.4rem 0 .3rem;overflow-wrap:anywhere}"
    "table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums;"
    "display:block;overflow-x:auto}"
    "caption{text-align:left;font-weight:600;padding:.8rem 0 .2rem}"
    "th,td{padding:.15rem .7rem .15rem 0;text-align:right;white-space:nowrap}"
    "th:first-child,td:first-child,.t{text-align:left;white-space:normal;overflow-wrap:anywhere}"
    "thead th{border-bottom:1px solid #999;font-weight:500;color:#444}"
    ".better{color:#00573f;font-weight:600}.worse{color:#9a2b00;font-weight:600}"
    "svg{max-width:100%;height:auto;display:block}svg text{font:11px system-ui,sans-serif;"
    "fill:#333}figure{margin:1rem 0 1.6rem}figcaption{font-size:.88rem;color:#444}"
    ".ax{stroke:#999;stroke-width:1;fill:none}.zero{stroke:#333;stroke-width:1}"
    ".iv{stroke:#0072b2;stroke-width:2}.dot{fill:#0072b2}"
    ".c0{stroke:#000}.c1{stroke:#d55e00}.c2{stroke:#0072b2}.c3{stroke:#b87800}.c4{stroke:#009e73}"
    ".c5{stroke:#56b4e9}.c6{stroke:#882255}.c7{stroke:#888}"
    ".ln{fill:none;stroke-width:1.5}.held{fill:#f3d9a4}.run{fill:#7ab8de}"
    ".good{fill:#0072b2}.other{fill:#7ab8de}.setup{fill:#e69f00}.save{fill:#882255}"
    ".lost{fill:#d55e00}.many{stroke:#9aa7b0;fill:none}"
    "code,pre{font:.82rem ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}";

/* Zooms the pieces of a Gantt: wheel, drag, double click. */
static const char script[] =
    "document.querySelectorAll('svg.zoom').forEach(function(s){"
    "var w=640,x=0,v=w,drag=null,h=s.viewBox.baseVal.height;"
    "function show(){v=Math.max(.5,Math.min(w,v));x=Math.max(0,Math.min(w-v,x));"
    "s.setAttribute('viewBox',x+' 0 '+v+' '+h);"
    "var t=s.parentNode.querySelector('.range'),e=Number(t.dataset.end);"
    "t.textContent=v<w?(e*x/w).toFixed(1)+' s to '+(e*(x+v)/w).toFixed(1)+' s':"
    "'wheel and drag zoom, double click shows all';}"
    "function at(e){var b=s.getBoundingClientRect();return(e.clientX-b.left)/b.width;}"
    "s.addEventListener('wheel',function(e){e.preventDefault();var f=at(e),c=x+f*v;"
    "v*=e.deltaY<0?.8:1.25;v=Math.max(.5,Math.min(w,v));x=c-f*v;show();},{passive:false});"
    "s.addEventListener('pointerdown',function(e){drag=[at(e),x];s.setPointerCapture(e.pointerId);"
    "});"
    "s.addEventListener('pointermove',function(e){if(drag){x=drag[1]+(drag[0]-at(e))*v;show();}});"
    "s.addEventListener('pointerup',function(){drag=null;});"
    "s.addEventListener('dblclick',function(){x=0;v=w;show();});show();});";

static const char *escaped(uint32_t c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return utf8_shows(c) ? NULL : "\xEF\xBF\xBD";
    }
}

void page_text(struct out *o, const char *s, size_t most)
{
    size_t len = strlen(s);

    for (size_t n = 0, done = 0; len > 0; s += n, len -= n, done++) {
        uint32_t c;
        if (done == most) {
            out_text(o, "\xE2\x80\xA6");
            return;
        }
        n = utf8_get(s, len, &c);
        const char *text = n ? escaped(c) : "\xEF\xBF\xBD";
        n = n ? n : 1;
        if (text)
            out_text(o, text);
        else
            out_bytes(o, s, n);
    }
}

void page_label(struct out *o, const struct policy_change *p)
{
    page_text(o, *p->label ? p->label : "(no name)", REPORT_LABEL);
    if (p->oracle)
        out_text(o, " (oracle)");
}

/* ---- the frame ---- */

static unsigned digit_of(char hex)
{
    return (unsigned)(hex <= '9' ? hex - '0' : hex - 'a' + 10);
}

/* 'sha256-...' of what stands between the tags, in base 64. */
static void put_hash(struct out *o, const char *text)
{
    static const char code[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[SHA256_HEX];
    unsigned char byte[33] = {0};

    sha256_bytes(text, strlen(text), hex);
    for (int i = 0; i < 32; i++)
        byte[i] = (unsigned char)(16 * digit_of(hex[2 * i]) + digit_of(hex[2 * i + 1]));
    out_text(o, "'sha256-");
    for (int i = 0; i < 33; i += 3) {
        uint32_t x = (uint32_t)byte[i] << 16 | (uint32_t)byte[i + 1] << 8 | byte[i + 2];
        for (int k = 18; k >= 0; k -= 6)
            out_char(o, i == 30 && k == 0 ? '=' : code[x >> k & 63]);
    }
    out_char(o, '\'');
}

void page_begin(struct out *o, const char *title)
{
    out_text(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src ");
    put_hash(o, style);
    out_text(o, "; script-src ");
    put_hash(o, script);
    out_text(o, "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    page_text(o, title, 200);
    out_text(o, " - hetune report</title>\n<style>");
    out_text(o, style);
    out_text(o, "</style>\n</head>\n<body>\n");
}

void page_end(struct out *o)
{
    out_text(o, "<script>");
    out_text(o, script);
    out_text(o, "</script>\n</body>\n</html>\n");
}
