import { readdirSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [prefix, match = '.', cols = '2', per = '8', width = '760'] = process.argv.slice(2);
const files = readdirSync('/tmp/shots-s2')
  .filter((f) => f.startsWith(prefix) && f.match(match) && !f.startsWith('sheet'))
  .sort();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: cols * width + 20, height: 100 } });
for (let i = 0; i * per < files.length; i++) {
  const some = files.slice(i * per, i * per + Number(per));
  await page.setContent(
    `<body style="margin:4px;font:12px sans-serif;display:grid;grid-template-columns:repeat(${cols},1fr);gap:4px;background:#888">` +
      some
        .map(
          (f) =>
            `<div>${f.slice(prefix.length)}<br><img style="width:100%" src="data:image/png;base64,${readFileSync('/tmp/shots-s2/' + f).toString('base64')}"></div>`,
        )
        .join(''),
  );
  await page.screenshot({ path: `/tmp/shots-s2/sheet-${prefix}-${i}.png`, fullPage: true });
}
console.log(files.length);
await browser.close();
