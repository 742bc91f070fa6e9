import puppeteer from 'puppeteer-core';

/** Any Chromium or Chrome; `$CHROMIUM` names another than Debian's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Photographs pages, each as large as its body. */
export type Photographer = {
  readonly photograph: (html: string, picture: `${string}.png`) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts a browser. Throws where there is none. */
export async function photographer(): Promise<Photographer> {
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  await page.setViewport({ width: 800, height: 600 });
  return {
    async photograph(html, picture) {
      await page.setContent(html);
      const body = await page.$('body');
      await body?.screenshot({ path: picture });
    },
    close: () => browser.close(),
  };
}
