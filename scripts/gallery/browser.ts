import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Any Chromium or Chrome; `$CHROMIUM` names another than that of the PATH. */
const browser = process.env.CHROMIUM ?? 'chromium';
const usual = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-device-scale-factor=1'];
const width = 720;

/** Photographs a page as high as it is. `file`: where the page is kept meanwhile. Throws where there is no browser. */
export function photograph(html: string, file: string, picture: string): void {
  const measure = '<script>document.documentElement.dataset.high = document.body.scrollHeight</script>';
  writeFileSync(file, html.replace('</body>', `${measure}</body>`));
  const page = pathToFileURL(file).href;
  const run = (...more: readonly string[]): string =>
    execFileSync(browser, [...usual, ...more, page], {
      encoding: 'utf8',
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const [, high] = /data-high="(\d+)"/.exec(run(`--window-size=${width},400`, '--dump-dom')) ?? [];
  if (high === undefined) throw new Error(`${browser} did not draw ${file}`);
  run(`--window-size=${width},${high}`, `--screenshot=${picture}`);
}
