import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const main = join(import.meta.dirname, '../../src/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'tocsin-run-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const kubeconfig = join(folder, 'config');
writeFileSync(
  kubeconfig,
  `apiVersion: v1
kind: Config
current-context: mine
contexts: [{ name: mine, context: { cluster: mine, user: mine, namespace: shop } }]
clusters: [{ name: mine, cluster: { server: "http://127.0.0.1:1" } }]
users: [{ name: mine, user: {} }]
`,
);

test('outside a Pod the namespace of the operator must be said: the one of a context is nobody’s decision', async () => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME: folder, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [main, 'run', '--kubeconfig', kubeconfig],
      { env, timeout: 60_000 },
      (error, _, stderr) => resolve({ code: error?.code, stderr }),
    );
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^tocsin: Outside a Pod, say which namespace is the operator's: tocsin run --namespace tocsin \(cluster: context mine of/,
  );
});
