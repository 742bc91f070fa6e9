// First line of every script: an older Node fails much later and much less clearly. Plain CommonJS, so that any Node can say so.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Tocsin needs Node 24 or newer; this is ${process.version}.\n` +
      'On Linux (x64, arm64) `npm ci` brings one along: run through `make` or `npm run`, and do not pass --omit=optional.\n' +
      'Elsewhere install Node 24 from https://nodejs.org and try again.\n',
  );
  process.exit(2);
}
