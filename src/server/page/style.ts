/** The look of the pages: one sheet, light and dark by the reader's system, readable on a phone. */
export const style = `
:root{color-scheme:light dark;--paper:#fff;--back:#f5f6f8;--ink:#1a1d21;--soft:#565d66;--line:#d9dde2;--none:#c9ced6;--link:#0b57d0;--critical:#b3001b;--high:#b54708;--medium:#8a6100;--low:#475467;--good:#146c2e}
@media(prefers-color-scheme:dark){:root{--paper:#1b1e23;--back:#121417;--ink:#eceef1;--soft:#a9b1bb;--line:#353b44;--none:#3d4550;--link:#8ab4f8;--critical:#ff8a8a;--high:#ffb074;--medium:#f2cc60;--low:#aab4c2;--good:#7ee2a0}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.25rem;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline}
h1{font-size:1.1rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:1.75rem 0 .5rem}
h3{font-size:.8rem;margin:1rem 0 .25rem;color:var(--soft);text-transform:uppercase;letter-spacing:.04em}
nav{display:flex;gap:1rem;font-size:.9rem}
.headline{font-size:1.5rem;line-height:1.3;font-weight:700;margin:.75rem 0 0;overflow-wrap:anywhere}
.headline.critical{color:var(--critical)}.headline.high{color:var(--high)}.headline.medium{color:var(--medium)}.headline.good{color:var(--good)}
.soft,.id,figcaption,.more,footer{color:var(--soft);font-size:.85rem}
#state{margin:.15rem 0 0;color:var(--soft);font-size:.85rem}
#state::before{content:"";display:inline-block;width:.6em;height:.6em;border-radius:50%;background:var(--none);margin-right:.4em}
#state.degraded{color:var(--critical)}#state.degraded::before{background:var(--critical)}
#filtered:empty{display:none}
[data-lost=yes] #state{visibility:hidden}
#lost{position:sticky;top:0;z-index:1;margin:0;padding:.6rem 1rem;background:var(--critical);color:var(--paper);font-weight:700;text-align:center}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.filter{display:none;margin:.75rem 0}
.scripted .filter,form.filter{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
input,select,button{font:inherit;font-size:.9rem;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:6px;padding:.35rem .6rem}
input[type=search]{flex:1 1 14rem;min-width:0}
button{cursor:pointer}
.card{background:var(--paper);border:1px solid var(--line);border-left:5px solid var(--low);margin:-1px 0 0;padding:0 .9rem}
.card.critical{border-left-color:var(--critical)}.card.high{border-left-color:var(--high)}.card.medium{border-left-color:var(--medium)}
.card[open]{margin:.5rem 0;border-radius:6px;padding-bottom:.5rem}
.card>summary{display:grid;grid-template-columns:4.5rem minmax(13rem,2.2fr) minmax(9rem,1.1fr) 6.5rem minmax(7.5rem,11.5rem);gap:0 .9rem;padding:.55rem 0;cursor:pointer;align-items:baseline;list-style:none}
.card>summary::-webkit-details-marker{display:none}
.card>summary:hover{text-decoration:underline;text-decoration-color:var(--line)}
.severity{font-weight:700;font-size:.85rem}
.critical .severity{color:var(--critical)}.high .severity{color:var(--high)}.medium .severity{color:var(--medium)}.low .severity{color:var(--low)}
.title,.why{overflow-wrap:anywhere}
.why{color:var(--soft);font-size:.9rem}
.hit,.state{color:var(--soft);font-size:.85rem}
.hit{white-space:nowrap}
.state{text-align:right}
.lead{font-size:1.05rem;margin:.25rem 0}
p,li{overflow-wrap:anywhere}
ul{margin:.25rem 0;padding-left:1.2rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:0 2rem}
pre{background:var(--back);border:1px solid var(--line);border-radius:6px;padding:.6rem;overflow-x:auto;margin:.25rem 0;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
.command{position:relative}
.scripted .command pre{padding-right:4.5rem}
.copy{display:none;position:absolute;top:.35rem;right:.35rem;font-size:.8rem;padding:.15rem .5rem}
.scripted .copy{display:block}
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
.links{margin:.5rem 0 .25rem;display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}
.day{margin:.75rem 0 .25rem}
.day svg{width:100%;height:1.75rem;display:block}
.day rect{fill:var(--none)}.day .unwatched{fill:var(--line);opacity:.45}.day .low{fill:var(--low)}.day .medium{fill:var(--medium)}.day .high{fill:var(--high)}.day .critical{fill:var(--critical)}
figcaption{display:flex;justify-content:space-between;gap:1rem}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--paper)}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.4rem .75rem;border-bottom:1px solid var(--line);vertical-align:top}
td{overflow-wrap:anywhere;min-width:5rem}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;white-space:nowrap}
.number{text-align:right}
tr.bad td:nth-child(3),tr.bad th,li.bad b{color:var(--critical)}
.empty{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1.5rem;text-align:center;margin:.5rem 0}
footer{padding-top:2rem;padding-bottom:2rem}
@media(max-width:48rem){
.headline{font-size:1.25rem}
.card>summary{grid-template-columns:1fr auto;gap:0 .75rem}
.card .title{grid-column:1/3;grid-row:2}.card .why{grid-column:1/3;grid-row:3}.card .hit{grid-column:1/3;grid-row:4}.card .hit:empty{display:none}.card .state{grid-column:2;grid-row:1}
.stacked thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.stacked tbody,.stacked tr,.stacked th,.stacked td{display:block;border:0;padding:0;min-width:0}
.stacked table{display:block}
.stacked tr{padding:.5rem .75rem;border-bottom:1px solid var(--line)}
.stacked td.number{text-align:left}
.stacked [data-label]::before{content:attr(data-label) ": ";color:var(--soft)}
}
`;
