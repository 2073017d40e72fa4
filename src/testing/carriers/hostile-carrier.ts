import type { Delivery, Exchange, Message, RecordedMessage } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult, Result } from '../../model/result.ts';
import { buildDelivery, buildExchange } from '../results/result.ts';

/** Markup that attacks readers of the formats: workflow commands, Markdown, HTML, JSON, cells, file names. */
export const hostileMarkup: Readonly<Record<string, string>> = {
  'a workflow command': '::error file=x.ts,line=1::owned',
  'a workflow command on a line of its own': 'x\n::add-mask::y\r\n##[error]z',
  'an escaped line feed': '%0A::stop-commands::owned%25%3A',
  'the end of properties': ',line=7,title=owned::x',
  'links of Markdown': '[x](javascript:alert(1)) ![x](http://evil.test/p.png) <http://evil.test> [r]: http://evil.test',
  'links without markup': 'http://evil.test www.evil.test mailto:a@evil.test @everyone #1',
  HTML: '</code></pre></details><img src=x onerror=alert(1)><script>alert(1)</script><!--',
  'character references': '&lt;script&gt; &#60;b&#62; &amp;',
  backticks: '`` ` ``` ````` x',
  'the end of a code block': 'x\n```\n# owned\n````\n<b>',
  'backticks at both ends': '`x`',
  'a heading, a list and a quote': '# h\n- l\n1. n\n> q\n\n    code\n***\n===',
  'a row of a table': '| a | b |\n|---|---|\n\\| c \\\\|',
  'emphasis, mathematics and comments': '**x** __y__ ~~z~~ $e^x$ $$y$$ \\',
  'the end of a string': '"}],"owned":["\\',
  'the end of CDATA and an entity': ']]><!DOCTYPE x [<!ENTITY y "z">]>&y;',
  'formulas of a cell': '=HYPERLINK("http://evil.test") +1 -2 @SUM(A1)',
  'the name of a file': '../../../etc/passwd [[ATTACHMENT|/etc/passwd]]',
  'a prototype': '__proto__',
  'a URL that runs': 'javascript:alert(1)//',
  nothing: '',
  'a blank': ' ',
};

const hostileRecord = (text: string): RecordedMessage => ({
  headers: [
    [text, text],
    ['content-type', text],
    ['location', text],
    ['Host', text],
  ],
  body: text,
  bytes: Buffer.byteLength(text),
});

const hostileExchange = (exchange: Exchange, text: string): Exchange => {
  const { response, noResponse, ...rest } = exchange;
  return {
    ...rest,
    url: text,
    ...(response === undefined ? {} : { response: { ...hostileRecord(text), status: response.status } }),
    ...(noResponse === undefined ? {} : { noResponse: { ...noResponse, detail: text } }),
  };
};

const hostileDelivery = (delivery: Delivery, text: string): Delivery => ({
  ...delivery,
  method: text,
  target: text,
  request: hostileRecord(text),
  idToken: { header: { [text]: text }, claims: { [text]: text } },
});

const hostileMessage = (message: Message, text: string): Message =>
  message.kind === 'exchange' ? hostileExchange(message, text) : hostileDelivery(message, text);

const hostileFinding = (finding: Finding, text: string): Finding => ({ ...finding, actual: text, path: text });

const hostileCase = (ended: CaseResult, text: string): CaseResult => ({
  ...ended,
  reason: text,
  findings: ended.findings.map((finding) => hostileFinding(finding, text)),
  recorded: { [text]: { [text]: text }, plain: text },
  messages: ended.messages.map((message) => hostileMessage(message, text)),
});

const hostileInvariant = (invariant: InvariantResult, text: string): InvariantResult => ({
  ...invariant,
  reason: text,
  findings: invariant.findings.map((finding) => hostileFinding(finding, text)),
});

/** The result with `text` in place of everything that a carrier decides: what it sent, and what follows from that. */
export function fromHostileCarrier(result: Result, text: string): Result {
  const { header } = result;
  return {
    ...result,
    header: { ...header, target: { ...header.target, issuer: text } },
    cases: [...result.cases].map((ended) => hostileCase(ended, text)),
    invariants: result.invariants.map((invariant) => hostileInvariant(invariant, text)),
    rules: result.rules.map((rule) => ({ ...rule, reason: text, recorded: { [text]: text } })),
    unsolicited: result.unsolicited.map((unsolicitedDelivery) => hostileDelivery(unsolicitedDelivery, text)),
  };
}

/** The result with every kind of message in its failed cases: with and without response, a callback, one held, one reset. */
export function withEveryMessage(result: Result): Result {
  const { response: _, ...exchange } = buildExchange({ id: 'n1' });
  const more: readonly Message[] = [
    { ...exchange, noResponse: { reason: 'reset', detail: 'the connection was reset' } },
    buildDelivery({ id: 'd8', step: 'replay', answered: 'held' }),
    buildDelivery({ id: 'd9', answered: 'reset' }),
  ];
  const cases = [...result.cases].map((ended) =>
    ended.verdict === 'fail' ? { ...ended, messages: [...ended.messages, ...more] } : ended,
  );
  return { ...result, cases };
}
