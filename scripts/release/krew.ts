import { stringify } from 'yaml';

/** An archive for one platform: where it is, its SHA-256 in hexadecimal digits, and which of its files is run. */
export type KrewPlatform = {
  readonly os: string;
  /** Any, where it says none. */
  readonly arch?: string;
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
};

/** The manifest by which krew installs `kubectl tocsin`. */
export function krewManifest(version: string, platforms: readonly KrewPlatform[]): string {
  return stringify(
    {
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'tocsin' },
      spec: {
        version: `v${version}`,
        shortDescription: 'Ask Tocsin what broke, why, and who was told',
        description:
          'Installs Tocsin, shows what is open and why, explains why somebody was told or was not,\nsilences, checks manifests, sends test messages, and makes reports of incidents.\n',
        caveats:
          'On macOS it runs on Node.js 24 or newer (https://nodejs.org), which must be in the PATH.\nMost commands ask a Tocsin that runs in the cluster; install, lint, replay, report FILE and demo need none.\n',
        platforms: platforms.map(({ os, arch, ...rest }) => ({
          selector: { matchLabels: { os, ...(arch !== undefined && { arch }) } },
          ...rest,
        })),
      },
    },
    { lineWidth: 0 },
  );
}
