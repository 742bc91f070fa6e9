/** Notifications that try to break out of a product's limits and markup. */
import assert from 'node:assert/strict';
import { type Command, kubectl, listOf } from '../../../src/model/command.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { notifications } from '../notifications.ts';

/** What oversize texts are made of: one grapheme each. */
export const materials = {
  ASCII: 'a',
  quotes: '"',
  'characters that markup escapes': '&',
  CJK: '世',
  'emoji of several code points': '👩‍👩‍👧',
  'right-to-left letters': '\u05d0',
  'letters with accents of their own': 'ɮ\u0301',
};

/** A line that `kubectl` makes. */
function made(...words: readonly string[]): Command {
  const command = kubectl('get', listOf('pods', 'shop'), ...words);
  assert.ok(command);
  return command;
}
/** The longest command there is, and one of all that may stand in one. */
export const longest = made('-l', 'x'.repeat(472));
export const oddest = made('-l', '!a,b in (c),d=="e_f"', '-o', 'jsonpath={.a[*]}{"\\n"}{.b[?(@.c=="d")].e\\.f}');

/** Every text and list far beyond what any product takes. `n`: of the material. */
export function oversize(unit: string, act: 'open' | 'digest'): Notification {
  // At least `n` of any unit that a limit is in; graphemes of many code points would only be more of the same.
  const long = (n: number): string => unit.repeat(Math.ceil((2 * n) / Math.max(2, unit.length)));
  const base = notifications[act];
  const pods = Array.from({ length: 400 }, (_, index) => ({ name: `p${index}-${long(20)}`, namespace: 'shop' }));
  const { incident, list } = base;
  return {
    ...base,
    title: `[high] ${long(6_000)}`,
    lead: long(20_000),
    impact: long(5_000),
    inTitle: {},
    note: long(5_000),
    evidence: Array.from({ length: 60 }, () => long(900)),
    nextStep: { command: longest, changesCluster: true },
    excerpt: { source: long(900), lines: Array.from({ length: 800 }, (_, index) => `${index} ${long(120)}`) },
    facts: Array.from({ length: 60 }, (_, index) => ({ name: `${index}${long(300)}`, value: long(900) })),
    links: Array.from({ length: 60 }, (_, index) => ({
      title: long(300),
      url: `https://x.example/${index}/${'y'.repeat(5_000)}`,
    })),
    cluster: long(900),
    ...(incident && { incident: { ...incident, pods, podCount: 400, cause: long(9_000) } }),
    ...(list && {
      list: {
        ...list,
        entries: Array.from({ length: 20 }, () => ({
          severity: 'low',
          reason: 'PodNotReady',
          root: `Pod/shop/${long(200)}`,
          says: long(2_000),
          affected: 3,
        })),
        total: 900,
      },
    }),
  };
}

/** The same said in scripts that run the other way, join their letters, or have thousands of them. */
export const scripts = {
  Hebrew: 'החיבור למסד הנתונים נכשל',
  Arabic: 'تعذّر الاتصال بقاعدة البيانات',
  Chinese: '连接数据库失败',
  Thai: 'เชื่อมต่อฐานข้อมูลไม่ได้',
};

/** An opening whose program speaks in such a script: in the sentence, as its proof and in the log. */
export function spoken(words: string): Notification {
  const { excerpt, ...base } = notifications.open;
  return {
    ...base,
    lead: `Deployment shop/payments keeps crashing: ${words} 111`,
    evidence: [`The log says: ${words} 222`],
    excerpt: { source: excerpt?.source ?? '', lines: [`${words} 333`, 'bye'] },
  };
}

/** Mentions, links, markup and control sequences of many products; each type forbids those that are its own. */
export const attack = [
  '<!channel> <!here|here> <@U024BE7LH> <#C024BE7LR> <https://evil.example|click> @channel @here @everyone',
  '<@&123> <@!123> [click](https://evil.example) ![x](https://evil.example/x.png) **bold** __under__ ~~gone~~ `code`',
  '<b>bold</b> <script>alert(1)</script> <img src=x onerror=alert(1)> <a href="https://evil.example">click</a>',
  '```\nfence\n``` *star* _under_ # head\n> quote\n- item | cell | \u0024{jndi:x} {{template}} %s %n \\u0000 &amp; &#60;b&#62; \'" --',
].join('\n');
export const breakOut = '\r\nBcc: evil@example.com\r\nX-Injected: yes\r\n\r\n<p>body</p>\r\n.\r\n';

/** Every text of the cluster tries to be something else. */
export function hostile(): Notification {
  const base = notifications.open;
  const { incident } = base;
  return {
    ...base,
    title: `[high] ${breakOut}${attack}`,
    lead: attack,
    evidence: [attack, breakOut],
    impact: attack,
    inTitle: {},
    note: attack,
    nextStep: { command: oddest, changesCluster: false },
    excerpt: { source: attack, lines: [...attack.split('\n'), breakOut, '.'] },
    facts: [{ name: attack, value: attack }],
    links: [{ title: attack, url: 'https://x.example/"><script>alert(1)</script>|<b>' }],
    cluster: attack,
    ...(incident && { incident: { ...incident, id: `inc-1${breakOut}`, cause: attack, labels: { a: attack } } }),
  };
}
