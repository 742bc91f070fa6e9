import { stringify } from 'yaml';

/** What krew is told: where the archive is, and its SHA-256 in hexadecimal digits. */
export type KrewOptions = {
  readonly version: string;
  readonly archive: string;
  readonly sha256: string;
  /** The file of the archive that is run. */
  readonly program: string;
};

/** The manifest by which krew installs `kubectl tocsin`. */
export function krewManifest({ version, archive, sha256, program }: KrewOptions): string {
  return stringify(
    {
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'tocsin' },
      spec: {
        version: `v${version}`,
        shortDescription: 'Ask Tocsin what broke, why, and who was told',
        description:
          'Shows what is open and why, explains why somebody was told or was not, silences,\nchecks manifests, sends test messages, and makes reports of incidents.\n',
        caveats:
          'It runs on Node.js 24 or newer (https://nodejs.org), which must be in the PATH.\nMost commands ask a Tocsin that runs in the cluster; lint, replay, report FILE and demo need none.\n',
        platforms: [
          {
            selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['linux', 'darwin'] }] },
            ...{ uri: archive, sha256, bin: program },
          },
        ],
      },
    },
    { lineWidth: 0 },
  );
}
