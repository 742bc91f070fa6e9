/** How the program becomes one file, with whatever it imports. */
import { join, resolve } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** What the operator base class imports and never gets to use, because all of that is overridden. */
const unusedByBase: Readonly<Record<string, string>> = {
  gaxios: 'no-http-client.cjs',
  '@kubernetes/client-node': 'no-kubernetes-client.cjs',
};

/** Puts a stand-in for each in its place, for the base class only: kubeconfigs are read with the real client. */
const baseClass: Plugin = {
  name: 'base-class',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:gaxios|@kubernetes\/client-node)$/ }, ({ importer, path }) => {
      const standIn = importer.includes('@dot-i/k8s-operator') ? unusedByBase[path] : undefined;
      return standIn === undefined ? undefined : { path: join(root, 'scripts/build', standIn) };
    });
  },
};

/** What every bundle has in common. */
export const bundling = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // Names stay as they are: in the stack traces of bug reports, and without a call per function that would restore them.
  minifyWhitespace: true,
  minifySyntax: true,
  absWorkingDir: root,
  plugins: [baseClass],
  // Known once the image is pushed: what a release offers besides it is built after that.
  define: { 'process.env.TOCSIN_RELEASED_IMAGE': JSON.stringify(process.env.TOCSIN_RELEASED_IMAGE ?? '') },
} as const satisfies BuildOptions;
