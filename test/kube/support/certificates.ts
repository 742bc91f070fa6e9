import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Named once; tests that need it are skipped without it. */
const tool = 'openssl';

/** Whether certificates can be made here. */
export function hasOpenssl(): boolean {
  try {
    execFileSync(tool, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A private CA with one certificate for a server on loopback and one for a client, as files and as PEM. */
export type Certificates = {
  readonly folder: string;
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
};

/** Makes them with openssl, elliptic curves because RSA keys take seconds. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-certs-'));
  const openssl = (...args: string[]): void => {
    execFileSync(tool, args, { cwd: folder, stdio: 'ignore' });
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...curve, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=test-ca');
  const sign = (name: string, subject: string, extension: string): { cert: string; key: string } => {
    writeFileSync(join(folder, `${name}.ext`), extension);
    openssl('req', ...curve, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-out', `${name}.crt`, '-days', '2', '-extfile', `${name}.ext`],
    );
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
    return { cert: read(`${name}.crt`), key: read(`${name}.key`) };
  };
  return {
    folder,
    server: sign('server', '/CN=localhost', 'subjectAltName=IP:127.0.0.1,DNS:localhost\n'),
    client: sign('client', '/CN=admin/O=admins', 'extendedKeyUsage=clientAuth\n'),
    ca: readFileSync(join(folder, 'ca.crt'), 'utf8'),
  };
}
