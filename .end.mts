import { readLog } from './test/scenarios/kit/log.ts';
import { readdirSync } from 'node:fs';
for (const n of readdirSync('test/scenarios/held-out')) {
  const log=readLog('test/scenarios/held-out/'+n+'/log.jsonl'); const pods=new Map(); const end=log.lines.at(-1).now;
  for (const l of log.lines) for (const i of l.inputs) if(i.kind==='objects') for(const e of i.events) if(e.raw?.kind==='Pod'){ const k=e.raw.metadata.namespace+'/'+e.raw.metadata.name; e.is==='gone'?pods.delete(k):pods.set(k,[e.raw,l.now]); }
  const odd=[...pods].filter(([,[p]])=>p.status.containerStatuses?.some((c)=>c.state.running&&!c.ready&&c.restartCount>0));
  if(odd.length) console.log(n, odd.map(([k,[,t]])=>k+'@-'+Math.round((end-t)/1000)+'s').join(' ').slice(0,200));
}
