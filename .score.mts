import { run } from './test/scenarios/kit/run.ts';
import { isRecorded, stories } from './test/scenarios/kit/stories.ts';
import { figuresOf } from './test/scenarios/kit/figures.ts';
import { writeFileSync } from 'node:fs';
const names=[...(await stories()).keys()].filter(n=>n.startsWith('held-out/')&&isRecorded(n));
const runs=names.map(run);
const out=[]; let ok=0; const wrong=[]; let oneMsg=0;
for(const r of runs){ const told=r.verdict.told.map(t=>{const i=t.messages[0].notification.incident; return `${i.root} ${i.reason} (${i.confidence}, ${Math.round(t.seconds??-1)} s, ${t.messages.map(m=>m.delivery.act).join('+')})${i.cause?' cause '+JSON.stringify(i.cause).slice(0,90):''}`});
 const good=r.verdict.faults.length===0; if(good)ok++;
 const rootsRight=r.verdict.missed.length===0; 
 out.push(`| ${r.name.slice(9)} | ${r.expectation.incidents.map(e=>e.root).join(', ')||'quiet'} | ${told.join('<br>')||'nothing'} | ${good?'as expected':r.verdict.faults.join('; ')} |`);}
const fig=figuresOf(runs.map(r=>r.name.includes('quiet-')?{...r,set:'quiet'}:r));
const text=`as expected: ${ok} of ${runs.length}; every root right: ${runs.filter(r=>!r.name.includes('quiet-')&&r.verdict.missed.length===0).length} of ${runs.filter(r=>!r.name.includes('quiet-')).length}\n\n`+fig.map(f=>`- ${f.name}: ${f.value}${f.unit} ${f.because.length?'('+f.because.map(b=>b.replace('held-out/','')).join(', ')+')':''}`).join('\n')+'\n\n| story | root | told | verdict |\n| --- | --- | --- | --- |\n'+out.join('\n')+'\n';
writeFileSync(process.argv[2],text); console.log(text.split('\n').slice(0,14).join('\n').slice(0,3000));
