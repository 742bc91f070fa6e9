/**
 * The least that any reader of a cluster must do: every list in pages of 250, each page parsed and dropped. Two lists at a
 * time, as Tocsin has them. Arguments: the API server's address, and the paths.
 */
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { answerParent } from './child.ts';

const [server = '', caFile = '', ...paths] = process.argv.slice(2);
const agent = new Agent({ connect: { ca: readFileSync(caFile) } });

type Page = { readonly metadata: { readonly continue?: string }; readonly items: readonly unknown[] };

async function readAll(path: string): Promise<number> {
  let items = 0;
  let token: string | undefined;
  do {
    const query = { limit: 250, ...(token === undefined ? {} : { continue: token }) };
    const { body } = await agent.request({ origin: server, path, query, method: 'GET' });
    const page = JSON.parse(await body.text()) as Page;
    items += page.items.length;
    token = page.metadata.continue;
  } while (token !== undefined);
  return items;
}

async function readEverything(): Promise<number> {
  const queue = [...paths];
  const counts: number[] = [];
  const worker = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) counts.push(await readAll(path));
  };
  await Promise.all([worker(), worker()]);
  return counts.reduce((sum, count) => sum + count, 0);
}

answerParent({
  async read() {
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const items = await readEverything();
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return { items, seconds, cpuSeconds: (user + system) / 1e6 };
  },
});
