/** The look of the status page: one sheet, light and dark by the reader's system, readable on a phone. */
export const style = `
:root{color-scheme:light dark;--paper:#fff;--back:#f5f6f8;--ink:#1a1d21;--soft:#565d66;--line:#d9dde2;--link:#0b57d0;--critical:#b3001b;--high:#b54708;--medium:#8a6100;--low:#475467;--good:#146c2e}
@media(prefers-color-scheme:dark){:root{--paper:#1b1e23;--back:#121417;--ink:#eceef1;--soft:#a9b1bb;--line:#353b44;--link:#8ab4f8;--critical:#ff8a8a;--high:#ffb074;--medium:#f2cc60;--low:#aab4c2;--good:#7ee2a0}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header,main,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem;display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}
h1{font-size:1.4rem;margin:0}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
h3{font-size:.8rem;margin:1rem 0 .25rem;color:var(--soft);text-transform:uppercase;letter-spacing:.04em}
.soft,.id,figcaption,.more,footer{color:var(--soft);font-size:.85rem}
.good{color:var(--good)}.degraded{color:var(--critical)}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.card{background:var(--paper);border:1px solid var(--line);border-left:6px solid var(--low);border-radius:8px;margin:.5rem 0;padding:0 1rem;content-visibility:auto;contain-intrinsic-size:auto 3.2rem}
.card.critical{border-left-color:var(--critical)}.card.high{border-left-color:var(--high)}.card.medium{border-left-color:var(--medium)}
.card>summary{display:flex;flex-wrap:wrap;gap:.25rem .75rem;padding:.75rem 0;cursor:pointer;align-items:baseline}
.severity{font-weight:700;font-size:.85rem}
.critical .severity{color:var(--critical)}.high .severity{color:var(--high)}.medium .severity{color:var(--medium)}.low .severity{color:var(--low)}
.title{flex:1 1 16rem;overflow-wrap:anywhere}
.hit,.state{color:var(--soft);white-space:nowrap}
.lead{font-size:1.05rem;margin:.25rem 0}
p,li,td,th{overflow-wrap:anywhere}
ul{margin:.25rem 0;padding-left:1.2rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:0 2rem}
pre{background:var(--back);border:1px solid var(--line);border-radius:6px;padding:.6rem;overflow-x:auto;margin:.25rem 0;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
.timeline{list-style:none;margin:.25rem 0;padding:0 0 0 1rem;border-left:2px solid var(--line)}
.timeline li{margin:.3rem 0}
.timeline time{display:block;color:var(--soft);font-size:.85rem}
.picture{display:block;width:100%;max-width:20rem;height:auto;margin:.25rem 0 1rem}
.picture rect{fill:var(--back);stroke:var(--line)}
.picture .root rect{stroke:var(--critical);stroke-width:2}
.picture path{fill:none;stroke:var(--soft);stroke-width:1.5}
.picture text{fill:var(--ink);font-size:14px}
.picture .kind,.picture .rest,.picture .relation{fill:var(--soft);font-size:12.5px}
.log{margin:.5rem 0}
.links{margin:.5rem 0 .75rem}
.day{margin:.5rem 0}
.day svg{width:100%;height:2rem;display:block}
.day rect{fill:var(--line)}.day .low{fill:var(--low)}.day .medium{fill:var(--medium)}.day .high{fill:var(--high)}.day .critical{fill:var(--critical)}
figcaption{display:flex;justify-content:space-between}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--paper)}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.4rem .75rem;border-bottom:1px solid var(--line);vertical-align:top;min-width:5rem}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;overflow-wrap:normal}
.number{text-align:right}
tr.bad td:nth-child(3),tr.bad th,li.bad b{color:var(--critical)}
.empty{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1.5rem;text-align:center}
footer{padding-top:2rem;padding-bottom:2rem}
`;
