import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Authority } from '../../sandbox/certificate.ts';

/** A way in: a kubeconfig file and what is in it, PEM. */
export type Access = {
  readonly kubeconfigPath: string;
  readonly url: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
};

/** Writes a kubeconfig with a fresh client certificate for a user. */
export function accessFor(
  directory: string,
  url: string,
  authority: Authority,
  name: string,
  groups: readonly string[],
): Access {
  const { certificate, key } = authority.sign({ commonName: name, organizations: groups });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': base64(authority.certificate) } }],
    users: [{ name, user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: name, namespace: 'default' } }],
    'current-context': 'test',
  };
  const folder = join(directory, 'kubeconfigs');
  mkdirSync(folder, { recursive: true });
  const kubeconfigPath = join(folder, `${name.replaceAll(/[^a-z0-9-]/gi, '_')}.json`);
  writeFileSync(kubeconfigPath, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return { kubeconfigPath, url, ca: authority.certificate, certificate, key };
}

/** Whether a health endpoint answers 200. The certificate is not looked at: these are our own children on loopback. */
export function healthy(url: string, access?: Access): Promise<boolean> {
  return new Promise((resolve) => {
    const credentials = access ? { cert: access.certificate, key: access.key } : {};
    const asked = request(
      url,
      { rejectUnauthorized: false, timeout: 2000, agent: false, ...credentials },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
