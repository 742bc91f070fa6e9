import { productAddresses } from './product-addresses.ts';
import { looksRandom } from './randomness.ts';
import { mark, type Rule } from './rule.ts';
import { strangeAddresses } from './strange-addresses.ts';
import { looksDrawn, looksMadeUp } from './values.ts';

/** Segments of paths after which an address identifies whoever knows it. */
const pathsThatHide =
  '(?:(?:web)?hooks?(?:-test|-waiting|b2)?|integrations?|ping|trigger|robot|reset[-_]password|password[-_]reset|verify[-_]email|magic[-_]link|invite|unsubscribe)';

/** The end of such an address before a key in its query. */
const setsOff =
  /(?:\/\/|(?:GET|POST|PUT) \/)(?:[^\s"'<>?]{0,60}[./-])?(?:(?:web)?hooks?|deploy(?:s|ments?)?|api|builds?|trigger|ping|notify|ingest|push|invoke|callback|relay|cron)\d?(?:[./-][^\s"'<>]*)?(?:\?|\?[^\s"'<>]*[?&])\w+=$/i;

/** A path of which the segments that nobody named are hidden; `v1`, `alertmanager` and `catch` stay. */
function withoutDrawn(path: string): string {
  return path
    .split('/')
    .map((part) => (looksDrawn(part, 16) || /^[A-Za-z]{24,}$/.test(part) ? mark : part))
    .join('/');
}

/** Who and what a colon stands between in ordinary text: `mailto:jane@example.com`, `owner:jane@example.com`. */
const mailNames =
  /^(?:mail-?to|to|from|cc|bcc|reply-to|e-?mail|mail|owner|author|contact|maintainers?|user(?:name)?|sender|rcpt|recipient|account|principal|login|subject|sub|by|for|acct|sips?|xmpp)$/i;

/** Schemes of what is logged in to: of others a path and a revision look alike, as `git//main:dev@origin`. */
const clientScheme =
  /^(?:\w*sql|postgres|mongodb|rediss?|valkeys?|amqps?|mqtts?|nats|kafka|https?|s?ftps?|smtps?|imaps?|ldaps?|mariadb|oracle|clickhouse|influxdb|neo4j|bolt|socks\d?)\b/i;

/** A version or a port: `v1.2.3`, `8080`. */
const isVersion = (text: string): boolean => /^v?\d{0,5}(?:\.\d+)*$/.test(text);

const host = '\\[[\\da-f:]{2,40}\\]|\\d{1,3}(?:\\.\\d{1,3}){3}|(?!sha\\d)[A-Za-z][\\w-]{0,62}(?:\\.[\\w-]{1,63}){0,8}';

/** Addresses that are a secret, and passwords in addresses. */
export const addressRules: readonly Rule[] = [
  {
    what: 'an address that is the credential',
    pattern: new RegExp(
      `((?:${[productAddresses, strangeAddresses]
        .flatMap(Object.values<readonly string[]>)
        .flat()
        .join('|')}))[\\w@/:%.~*-]+`,
      'g',
    ),
    needs: ['/'],
  },
  {
    what: 'an incoming webhook of a server of its own, a link that logs in',
    pattern: new RegExp(
      `((?:://[^\\s"'<>?#/]{1,200}|(?:GET|POST|PUT|PATCH) )/(?:[\\w.~-]{1,60}/){0,3}?${pathsThatHide}/)([\\w%.~/-]{12,400})`,
      'gi',
    ),
    needs: ['/'],
    keep: (_, before = '', path = '') => `${before}${withoutDrawn(path)}`,
  },
  {
    what: 'a secret in a query',
    pattern:
      /([?&](?:key|code|sas|jwt|auth|hapikey|sv?sig|t|invit(?:e|ation)|activation|confirm(?:ation)?|magic|ticket)=)(?=[\w%./~+-]{0,200}\d)[\w%./~+-]{16,}/gi,
    needs: ['='],
  },
  {
    what: 'the token of a bot of Telegram in a path, of whatever host: /bot1234567:…/sendMessage',
    pattern: /((?<![A-Za-z])bot)\d{5,12}(?::|%3[Aa])[\w-]{20,100}/g,
    needs: ['bot'],
  },
  {
    what: 'the address that a monitor of Uptime Kuma waits for: /api/push/…?status=up',
    pattern: /(\/api\/push\/)([A-Za-z\d]{10}|[A-Za-z\d]{32})(?![\w-])(\?(?:status|msg|ping)=)?/g,
    needs: ['/api/push/'],
    keep: (whole, before = '', text = '', query = undefined) =>
      query !== undefined || looksDrawn(text, 10) ? `${before}${mark}${query ?? ''}` : whole,
  },
  {
    what: 'the key of an application in a query, in hexadecimal digits: OpenWeather',
    pattern: /((?:[?&](?:appid|dkey)|weather[^\n]{0,60}\bappid)=)[\da-f]{32,64}(?![\w-])/gi,
    needs: ['ppid=', 'PPID=', 'dkey='],
  },
  {
    what: 'a shorter key in the query of an address that sets something off: …/deploy/srv-1?key=…',
    pattern: /([?&](?:key|k|code|auth|hash|s|sig|id_?key)=)([\w%~+-]{8,60})(?![\w%.~+-])/gi,
    needs: ['='],
    unless: (gone, before) =>
      !looksRandom(gone, 16) && !((looksDrawn(gone, 8) || looksRandom(gone, 8)) && setsOff.test(before)),
  },
  {
    what: 'the key of a user, beside the token of an application: 30 letters and digits of Pushover',
    pattern: /([?&]user=)(?=[a-z]{0,29}[\dA-Z])[A-Za-z\d]{30}(?![\w.@-])/g,
    needs: ['user='],
  },
  {
    what: 'the password beside the name in a query',
    pattern: /([?&](?:u|user)=[^\s&]{1,100}&(?:p|pw)=)[^\s&"'<>]{1,200}/gi,
    needs: ['&p'],
  },
  {
    what: 'a password behind a name that has a domain: https://user@domain:password@host',
    pattern:
      /(:\/\/(?!(?:git|hg)@)[^\s/@:?#"'<>]{1,100}@[A-Za-z][^\s/@:?#"'<>]{0,100}:)(?!\d{1,5}[/?#])[^\s/"'<>@]{1,300}(?=@[\w[])/g,
    needs: ['://'],
  },
  {
    what: 'a password in an address whose scheme lost its colon or a slash, or has escaped ones: postgresql//user:password@host',
    pattern:
      /((?<![\w:/.@-])[a-z][a-z\d]{1,20}(?:\+[a-z\d_]{1,20}){0,2}(?:\/\/|:\/(?!\/)|:?\\{1,3}\/\\{1,3}\/)[^\s/@:?#"'<>\\]{0,100}:)([^\s/"'<>@\\]{1,300})(?=@(?!sha\d)[\w[])/gi,
    hint: (text) => /\w(?:\/|:\/[^/]|:?\\+\/)[^\s@]{0,420}@/.test(text),
    keep: (whole, before = '', text = '') =>
      !isVersion(text) && (clientScheme.test(before) || looksMadeUp(text, 6)) ? `${before}${mark}` : whole,
  },
  {
    what: 'a password in an address that is escaped in another: https%3A%2F%2Fuser%3Apassword%40host',
    pattern: /(%3A%2F%2F[\w.-]{0,100}%3A)([^\s%&"'<>]{0,200}(?:%(?!40|2F)[\dA-F]{2}[^\s%&"'<>]{0,100}){0,20})(?=%40)/gi,
    needs: ['%2F%2F', '%2f%2f'],
    keep: (whole, before = '', text = '') => (isVersion(text) ? whole : `${before}${mark}`),
  },
  {
    // One with a bare slash too, unless a port follows the colon.
    what: 'a password in an address',
    pattern: /(:\/\/[^\s/@:?#"'<>]{0,200}:)(?:[^\s/"'<>]{1,300}(?=@)|(?!\d{1,5}(?:[/?#\s]|$))[^\s"'<>]{1,300}(?=@))/g,
    needs: ['://'],
  },
  {
    what: 'a token as the user of an address',
    pattern: /(:\/\/)[^\s/@:?#"'<>]{16,300}(?=@)/g,
    needs: ['://'],
  },
  {
    what: "Go's form for MySQL: user:password@tcp(host:3306)/db",
    pattern: /(?<![\w.-])([\w.-]{1,64}:)[^\s]{1,200}(?=@(?:tcp|tcp6|unix)?\()/g,
    needs: ['@tcp', '@unix', '@('],
  },
  {
    what: 'user:password@host:port, user:password@host.example, without a scheme',
    pattern: new RegExp(
      `(?<![\\w.:/@%+-])([A-Za-z][\\w.+-]{0,63}(?:@(?:[A-Za-z\\d-]{1,60}\\.){1,4}[a-z]{2,12})?):([^\\s@/"'<>,;=()]{3,100})(?=@(${host})(:\\d{2,5}(?!\\w))?)`,
      'g',
    ),
    hint: (text) => /:[^\s@/"'<>,;=()]{3,100}@/.test(text),
    keep(whole, user = '', text = '', at = '', port?: string) {
      // `image:1.2.3@host`, `job:8080@node`; `sip:jane@example.com:5060`, `git@example.com:…`.
      if (isVersion(text) || /^(?:sips?|mailto|xmpp|(?:git|hg)@.*)$/i.test(user)) return whole;
      // Without a port it may as well be a mail address after a word.
      const known = port !== undefined || (/[.[]/.test(at) && looksMadeUp(text, 6) && !mailNames.test(user));
      return known ? `${user}:${mark}` : whole;
    },
  },
  {
    what: 'user/password@ of Oracle',
    pattern: /(oracle:(?:thin:|oci:|\/\/)[\w.$-]{1,64}\/)[^\s@"'/]{1,200}(?=@)/gi,
    needs: ['oracle:', 'ORACLE:', 'Oracle:'],
  },
  {
    what: 'user/password@ of an Oracle database, by what follows: //host, host:port/service, (DESCRIPTION=…',
    pattern:
      /(?<![\w./@:%-])([A-Za-z][\w$.-]{0,63}\/)([^\s@/"'<>]{4,100})(?=@(?:\/\/|\(DESC|[A-Za-z\d][\w.-]{0,80}:\d{2,5}[:/]))/g,
    hint: (text) => /\/[^\s@/"'<>]{4,100}@/.test(text),
    keep: (whole, user = '', text = '') => (looksMadeUp(text, 6) ? `${user}${mark}` : whole),
  },
  {
    what: 'user/password@ALIAS after a word that connects',
    pattern:
      /((?<![\w-])(?:conn(?:ect)?|logon|userid=|using)[ "']{0,2}[A-Za-z][\w$.-]{0,63}\/)([^\s@/"'<>]{4,100})(?=@[A-Z])/gi,
    needs: ['@'],
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 6) ? `${before}${mark}` : whole),
  },
  {
    what: 'host:port:database:user:password of pgpass',
    pattern:
      /(?<!\S)([A-Za-z*][\w.*-]{0,63}:(?:\d{2,5}|\*):[\w*-]{1,64}:[A-Za-z*][\w.-]{0,63}:)[^\s:]{6,200}(?![\w:])/g,
    hint: (text) => /:(?:\d{2,5}|\*):[\w*-]{1,64}:[A-Za-z*]/.test(text),
  },
];
