/** Where the forges are asked, for every way people write the address of a server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/model/secret.ts';
import { gitea } from '../../src/providers/gitea.ts';
import { github } from '../../src/providers/github.ts';
import { gitlab } from '../../src/providers/gitlab.ts';
import type { Send } from '../../src/providers/provider.ts';

/** The first address that a check asks. */
async function asked(check: (send: Send) => Promise<unknown> | undefined): Promise<string> {
  const addresses: string[] = [];
  const send: Send = async ({ url }) => {
    addresses.push(String(url));
    return { status: 401, headers: {}, body: '', json: () => undefined, outcome: () => ({ is: 'delivered' }) };
  };
  await check(send);
  return addresses[0] ?? '';
}
const mail = { send: () => assert.fail(), check: () => assert.fail() };
const token = new Secret('token');

test('Gitea: the public server, and a server below a path with or without the API', async () => {
  const addresses: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'https://gitea.com/api/v1/repos/acme/my%2Fops'],
    ['https://codeberg.org/', 'https://codeberg.org/api/v1/repos/acme/my%2Fops'],
    ['https://host/git', 'https://host/git/api/v1/repos/acme/my%2Fops'],
    ['https://host/git/api/v1/', 'https://host/git/api/v1/repos/acme/my%2Fops'],
  ];
  for (const [url, expected] of addresses) {
    const config = { token, closeOnResolve: false, owner: 'acme', repo: 'my/ops', ...(url !== undefined && { url }) };
    assert.equal(await asked((send) => gitea.check?.({ config, send, mail, now: 0 })), expected);
  }
});

test('GitHub: the public API, an enterprise server with or without the API, and a tenant of its own', async () => {
  const addresses: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'https://api.github.com/repos/acme/ops'],
    ['https://github.com', 'https://api.github.com/repos/acme/ops'],
    ['https://api.github.com/', 'https://api.github.com/repos/acme/ops'],
    ['https://github.acme.example/', 'https://github.acme.example/api/v3/repos/acme/ops'],
    ['https://github.acme.example/api/v3/', 'https://github.acme.example/api/v3/repos/acme/ops'],
    ['https://api.acme.ghe.com', 'https://api.acme.ghe.com/repos/acme/ops'],
    ['https://acme.ghe.com', 'https://api.acme.ghe.com/repos/acme/ops'],
    ['https://acme.ghe.com/acme/ops', 'https://api.acme.ghe.com/repos/acme/ops'],
  ];
  for (const [url, expected] of addresses) {
    const config = { token, closeOnResolve: false, owner: 'acme', repo: 'ops', ...(url !== undefined && { url }) };
    assert.equal(await asked((send) => github.check?.({ config, send, mail, now: 0 })), expected);
  }
});

test('GitLab: the public server, a server below a path, and projects by number and by path', async () => {
  const addresses: readonly (readonly [string | undefined, string, string])[] = [
    [undefined, '42', 'https://gitlab.com/api/v4/projects/42'],
    ['https://gitlab.acme.example/', 'acme/ops', 'https://gitlab.acme.example/api/v4/projects/acme%2Fops'],
    ['https://host/gitlab', 'acme%2Fops', 'https://host/gitlab/api/v4/projects/acme%2Fops'],
    ['https://host/gitlab/api/v4/', 'ä/ö', 'https://host/gitlab/api/v4/projects/%C3%A4%2F%C3%B6'],
  ];
  for (const [url, projectId, expected] of addresses) {
    const config = { token, closeOnResolve: false, projectId, ...(url !== undefined && { url }) };
    assert.equal(await asked((send) => gitlab.check?.({ config, send, mail, now: 0 })), expected);
  }
});
