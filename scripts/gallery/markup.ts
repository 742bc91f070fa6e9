/** Texts of products as HTML, for looking at them: the few signs that our messages use, and nothing else of a product's markup. */

/** HTML in which a text stands as it is. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Signs that stand for a state, drawn rather than written: not every machine has a font for them. */
const marks: Readonly<Record<string, string>> = {
  '🚨': '<span class="mark siren"></span>',
  '🔴': '<span class="mark red"></span>',
  '🟠': '<span class="mark orange"></span>',
  '🔵': '<span class="mark blue"></span>',
  '✅': '<span class="mark done"></span>',
};

/** HTML with the signs of states drawn. */
export function drawn(html: string): string {
  return html.replace(/🚨|🔴|🟠|🔵|✅/gu, (sign) => marks[sign] ?? sign);
}

/** An instant as a reader in UTC sees it: `12:11`. `seconds`: since 1970. */
const clock = (seconds: string): string => new Date(Number(seconds) * 1000).toISOString().slice(11, 16);

/** Markdown of chats and forges. */
export function markdown(text: string): string {
  const parts = text.replace(/<!--.*?-->/gs, '').split(/^```\w*\n([\s\S]*?)\n?```$/m);
  return drawn(parts.map((part, at) => (at % 2 === 1 ? `<pre>${escaped(part)}</pre>` : paragraphs(part))).join(''));
}

function paragraphs(text: string): string {
  const blocks = text
    .trim()
    .split(/\n{2,}/)
    .filter((block) => block !== '');
  return blocks.map((block) => (/^- /.test(block) ? listOf(block) : `<p>${inline(block)}</p>`)).join('');
}

const listOf = (block: string): string =>
  `<ul>${block
    .split('\n')
    .map((line) => `<li>${inline(line.replace(/^- /, ''))}</li>`)
    .join('')}</ul>`;

/** One piece of Markdown without blocks. */
function inline(text: string): string {
  return escaped(text)
    .replace(/&lt;t:(\d+):[tf]&gt;/g, (_, seconds: string) => `<span class="time">${clock(seconds)}</span>`)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/\[([^\]]+)\]\((\S+?)\)/g, '<a>$1</a>')
    .replace(/\\([^\w\s])/g, '$1')
    .replaceAll('\n', '<br>');
}

/** Slack's own markup, in which `&`, `<` and `>` are escaped already. */
export function mrkdwn(text: string, signed: (html: string) => string = drawn): string {
  const signs: Readonly<Record<string, string>> = {
    ...{ rotating_light: '🚨', red_circle: '🔴', large_orange_circle: '🟠', large_blue_circle: '🔵' },
    white_check_mark: '✅',
  };
  const parts = text.split(/```\n?([\s\S]*?)\n?```/);
  const html = parts.map((part, at) =>
    at % 2 === 1
      ? `<pre>${part}</pre>`
      : part
          .replace(/<!date\^(\d+)\^[^>]*>/g, (_, seconds: string) => clock(seconds))
          .replace(/<[^|>]+\|([^>]+)>/g, '<a>$1</a>')
          .replace(/`([^`]+)`/g, '<code>$1</code>')
          .replace(/\*([^*\n]+)\*/g, '<b>$1</b>')
          .replace(/:(\w+):/g, (whole, name: string) => signs[name] ?? whole)
          .replaceAll('\n', '<br>'),
  );
  return signed(html.join(''));
}
