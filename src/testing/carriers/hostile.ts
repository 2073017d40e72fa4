import type { Result } from '../../model/result.ts';

/** Members with closed lists or dates: with other values it would not be a result. */
const closed: ReadonlySet<string> = new Set([
  'format',
  'interface',
  'kind',
  'verdict',
  'level',
  'code',
  'on',
  'outcome',
  'standing',
  'ending',
  'tone',
  'change',
  'answered',
  'judged',
  'startedAt',
  'endedAt',
]);

function poison(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value + text;
  if (Array.isArray(value)) return value.map((item: unknown) => poison(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      const isToolName = name === 'name' && member === 'carrierspec';
      return [name, closed.has(name) || isToolName ? member : poison(member, text)];
    }),
  );
}

/** The result with `text` after every free text, and in the names of recorded values and areas. */
export function poisonResult(result: Result, text: string): Result {
  const cases = [...result.cases].map((ended) => ({
    ...ended,
    recorded: { ...ended.recorded, [`name${text}`]: text },
  }));
  const areas = Object.entries(result.footer?.areas ?? {}).map(([name, scores]) => [name + text, scores] as const);
  const footer = result.footer === undefined ? {} : { footer: { ...result.footer, areas: Object.fromEntries(areas) } };
  const poisoned = poison({ ...result, cases, ...footer }, text);
  // Still a Result, because only free texts were lengthened.
  return poisoned as Result;
}

/** Texts with which a carrier could attack a reader's terminal, parser or patience. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'escape sequences': '\u001b[2J\u001b]0;owned\u0007\u009b31m',
  'the end of CDATA and markup': ']]></failure><script>alert(1)</script>&lt;"\'',
  'NUL and other controls': '\u0000\b\r\n\t\u007f',
  'bidi overrides': '\u202efdp.exe\u2066\u200f',
  'line separators': '\u2028\u2029\u0085',
  'lone surrogates and noncharacters': '\udfff\ud800\ufffe\uffff',
  'invisible letters': '\u200b\u3164\ufeff\u{e0041}',
  'a very long text': 'x'.repeat(50_000),
};

/** Code points that must never reach a terminal; written independently of the code under test. */
const dangerous: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

export function codePointsOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** Dangerous characters of a text, except line feeds. */
export function dangersIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const isDangerous = dangerous.some(([first, last]) => point >= first && point <= last);
    if (isDangerous && character !== '\n') found.push(point.toString(16));
  }
  return found;
}
