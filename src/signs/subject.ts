/**
 * Whom a sentence is about: `program` unless it shows otherwise. `visitor`: whoever called the program, which only reports it; then nothing
 * is said of the program but whom it could not reach. `request`: it came of serving one, so that a bare exception did not end the
 * program. `nobody`: a record, an example, or something to read.
 */
export type Subject = 'program' | 'visitor' | 'request' | 'nobody';

/** It was serving a request, whatever failed then. */
const serving =
  /\b(?:serving|servicing|handling|processing|dispatching) (?:the |an? |http |incoming )?(?:request\b|GET|HEAD|POST|PUT|PATCH|DELETE)|\bservicing: /i;

/** A request with the status that it was answered with, in the manner of access logs. */
const answered = /"[A-Z]{3,7} \S{1,1500} HTTP\/[\d.]{1,3}"(?: response:?)? \d{3}\b/;
/** What may happen, what to do then, and what an option does: help, not a report. */
const toRead = /^(?:(?-i:If) \w|note:|hint:|tip:|usage:|example:| {0,8}-{1,2}[a-z][\w-]{1,60}(?: \S{1,30})? {2,}\S)/i;
/** It goes on without what it speaks of. */
const passedOver =
  /\b(?:falling|fell|will fall|falls) back (?:to|on)\b|\b(?:continuing|proceeding|carrying on|starting) (?:without|anyway|regardless)\b/i;
/** Records of what others do and how often: the audit of the API server, probes, scraped targets, counts of errors, metrics. */
const record =
  /"apiVersion":"audit\.k8s\.io\/|\bprobeResult=|\b[Cc]annot scrape target\b|\b[Ee]rrors: ?0\b|^# (?:HELP|TYPE) |^\w{1,100}\{[^}]{0,400}\} \d/;
/** It names where a visitor came from, or calls him one. What it says of a call of its own (an upstream, a dial) is its own. */
const ofVisitor =
  /, client: [^,\s]{1,60}, server: |\bclient \S{1,60} closed\b|\b(?:by|to|from) (?:the |a )?client\b(?!\/)|\bclient (?:disconnected|unexpectedly|intended|aborted|hung up|went away|gave up)\b|\b(?:client|remote|source)[-_. ]?(?:ip|addr|address|host)?["']?[=:] ?["']?\d{1,3}\.\d|\bfrom (?:ip )?[/[]?\d{1,3}(?:\.\d{1,3}){3}\b(?! on )|\bip(?:Address)?[=:] ?"\d|\bClientAbortException\b|\bunable to authenticate the request\b|\bJWT String argument\b|^\d{1,3}(?:\.\d{1,3}){3}:(?:3[3-9]|[45]\d|6[0-5])\d{3}\b|\berror on \w{3,8} connection <|\bsmtpd\[|\bpath: \/\S{1,200}, params: \{|\b[1-5]\d\d (?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/|\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/\S{0,500} \(?\d/i;
/** It was answering, not asking. */
const answering =
  /\b(?:send(?:ing)?|writ(?:e|ing)|flush(?:ing)?|commit(?:ting)?) (?:the |a )?(?:http )?response\b|\bserver (?:recv|accept|read|write)\b(?! access)|\bno request state present\b|\bIO error \(cid\b|\bpeeking first byte\b|\bConnection id "|\bin (?:ASGI|WSGI) application\b|\bchecking access rights\b|\brejected connection\b|\bpanic serving\b|\b(?:error|failed|failure|unable)(?: to)? (?:pars|read|decod)(?:e|ing) (?:the )?(?:http )?(?:request|message) (?:header|body|line)|\brequest (?:failed|rejected)\b.{0,40}"?status"?[=:]? ?4\d\d/i;
/** Errors by whose name a server tells a visitor no, and tokens of visitors that are not good. */
const toldVisitor =
  /\b(?:BadRequest|MethodNotAllowed(?:Http)?|PayloadTooLarge|UnprocessableEntity|NotAcceptable|Routing|JsonWebToken|TokenExpired|ExpiredSignature|InvalidSignature)(?:Error|Exception)\b|\bNotFoundError: Not Found$|\b(?:DisallowedHost|SuspiciousOperation)\b|\bCSRF token\b|\bSignature has expired\b|\bNot enough segments\b|\btoken is expired \(exp\)|\b(?:rejected|refused|failed) log-?in (?:for|of) (?:user )?\S|\bCORS policy\b|\bHTTP_HOST header\b/;
/** A call of its own: what a visitor asked for failed because of that. */
const ownCall =
  /\bupstream(?::|[ _]connect)|\bcould not be resolved \(|\bdial(?:ing)? \w{2,5}\b|\blookup [\w.-]{1,253}|\bgetaddrinfo\b|\bconnect(?:ing)? to\b|\bconnect (?:ECONN|ETIMED|EHOST)/i;

/** Programs of entry scripts that look for something, or clean up: what is not there they need not find. */
const looking =
  /^(?:\/(?:usr\/)?bin\/)?(?:ls|grep|egrep|rm|find|stat|tail|head|which|pgrep|pkill|kill|readlink|rmdir|touch -c)(?: ?:|: )/;

/** Whom a sentence of a log is about. Looks at it a few times, whatever is in it. */
export function subjectOf(text: string): Subject {
  if ([answered, toRead, looking, passedOver, record].some((shape) => shape.test(text))) return 'nobody';
  if ((ofVisitor.test(text) || answering.test(text) || toldVisitor.test(text)) && !ownCall.test(text)) return 'visitor';
  return serving.test(text) ? 'request' : 'program';
}
