import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { parseMark, renderMark } from '../../model/redaction-mark.ts';
import {
  createMarkBudget,
  type MarkBudget,
  redactionMark,
  type SecretMatch,
  replaceMatches,
} from './redaction-marks.ts';
import { createRunSecrets, type RunSecrets } from './run-secrets.ts';
import { lendUnits, secretEncodings, createNeedles, findSecrets, type Needles } from './secret-index.ts';
import {
  credentialScanner,
  findCredentials,
  isJose,
  privateJwkMembers,
  secretsByForm,
  headerWords,
} from './secret-patterns.ts';

/** Text without escapes, and for each character its start in the original text; the last entry is the original's end. */
interface DecodedText {
  readonly text: string;
  readonly starts: (at: number) => number;
}

const [backslash, percent, letterU] = [0x5c, 0x25, 0x75];
const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([name, one]) => [
    name.codePointAt(0) ?? 0,
    one.codePointAt(0) ?? 0,
  ]),
);

function readHex(units: Uint16Array, at: number, count: number): number | undefined {
  if (at + count > units.length) return undefined;
  let value = 0;
  for (let digit = at; digit < at + count; digit += 1) {
    const unit = units[digit] ?? 0;
    const letter = unit < 0x61 ? unit - 0x41 : unit - 0x61;
    const is = unit >= 0x30 && unit <= 0x39 ? unit - 0x30 : letter >= 0 && letter < 6 ? letter + 10 : undefined;
    if (is === undefined) return undefined;
    value = value * 16 + is;
  }
  return value;
}

/** Unit at a position, and the number of characters it takes: an escape of JSON or of a URL, or a plain character. */
function readUnit(units: Uint16Array, at: number): readonly [unit: number, length: number] {
  const unit = units[at] ?? 0;
  if (unit === percent) {
    const byte = readHex(units, at + 1, 2);
    return byte === undefined ? [unit, 1] : [byte, 3];
  }
  if (unit !== backslash || at + 1 === units.length) return [unit, 1];
  const next = units[at + 1] ?? 0;
  const code = next === letterU ? readHex(units, at + 2, 4) : undefined;
  return code === undefined ? [escapes.get(next) ?? next, 2] : [code, 6];
}

const hasEscapes = (text: string): boolean => text.includes('\\') || text.includes('%');

/** Undoes the escapes of JSON and URLs once; undefined if there are none. */
function decodeEscapes({ text, starts }: DecodedText): DecodedText | undefined {
  if (!hasEscapes(text)) return undefined;
  const units = lendUnits(text);
  const out = new Uint16Array(units.length);
  const from = new Uint32Array(units.length + 1);
  let length = 0;
  for (let at = 0; at < units.length; ) {
    const one = units[at] ?? 0;
    const [unit, taken] = one === percent || one === backslash ? readUnit(units, at) : [one, 1];
    out[length] = unit;
    from[length] = at;
    length += 1;
    at += taken;
  }
  if (length === units.length) return undefined;
  const end = units.length;
  from[length] = end;
  const decoded = Buffer.from(out.buffer, 0, length * 2).toString('utf16le');
  return { text: decoded, starts: (at) => starts(from[at] ?? end) };
}

const asDecodedText = (text: string): DecodedText => ({ text, starts: (at) => at });

/** Knows the live secrets of one case and removes them from everything that is recorded. */
export interface Redactor {
  /** Learns a secret of 8 or more characters, in base64 and percent escapes too, unless it is public. */
  readonly learn: (what: string, secret: string) => void;
  /** Learns a secret of the operator's, which stays secret even as part of a public value. */
  readonly keep: (what: string, secret: string) => void;
  /** Mark that replaces a credential, whatever its length; a public value is returned as it is. */
  readonly mark: (what: string, secret: string) => string;
  /** Learns the credentials in a body of ours or the carrier's. */
  readonly learnMembers: (body: unknown) => void;
  /** Learns credentials by their names in any text. */
  readonly learnText: (text: string) => void;
  /** Learns a secret that this case alone looks for. */
  readonly learnHere: (what: string, secret: string) => void;
  /** Learns credentials by their form in any text, for this case: in another encoding they have that form no more. */
  readonly learnForms: (text: string) => void;
  readonly text: (text: string) => string;
  readonly json: (value: Json) => Json;
}

/** Levels of nested escapes that are undone: JSON in a JSON string, in a URL. */
const maxEscapeLevels = 3;

type MatchesIn = (text: string, marking: MarkBudget) => readonly SecretMatch[] | undefined;

/** Secrets hidden behind the escapes of a text, level by level. */
function matchesBehindEscapes(
  given: string,
  matchesIn: MatchesIn,
  marking: MarkBudget,
): readonly SecretMatch[] | undefined {
  const matches: SecretMatch[] = [];
  let shown = decodeEscapes(asDecodedText(given));
  for (let level = 1; level <= maxEscapeLevels && shown !== undefined; level += 1) {
    const { text, starts } = shown;
    const found = matchesIn(text, marking);
    if (found === undefined) return undefined;
    for (const { start, end, mark } of found) matches.push({ start: starts(start), end: starts(end), mark });
    shown = decodeEscapes(shown);
  }
  return matches;
}

/** Adds the decoded header to the mark of a JWS or JWE. */
type MarkDescriber = (mark: string, secret: string, marking: MarkBudget) => string;

function createMarkDescriber(matchesIn: MatchesIn, secretMembers: ReadonlySet<string>): MarkDescriber {
  const names = new Set([...secretMembers, ...privateJwkMembers]);
  return (mark, secret, marking) => {
    const known = secret.startsWith('eyJ') && marking.mayDecode() ? parseMark(mark) : undefined;
    if (known === undefined) return mark;
    const isSecret = (text: string): boolean => matchesIn(text, marking)?.length !== 0;
    const header = headerWords(secret, { isSecret, names });
    return header === undefined ? mark : renderMark({ ...known, header });
  };
}

/** Removes secrets from a text, as given and behind its escapes. */
function createCleaner(matchesIn: MatchesIn, describe: MarkDescriber) {
  const clean = (given: string, marking: MarkBudget): string => {
    const found = matchesIn(given, marking);
    if (found === undefined) return marking.mark('withheld', given);
    const hidden = hasEscapes(given) ? matchesBehindEscapes(given, matchesIn, marking) : [];
    if (hidden === undefined) return marking.mark('withheld', given);
    return replaceMatches(given, [...found, ...hidden], ({ mark }, secret) => describe(mark, secret, marking));
  };
  const object = (value: JsonObject, marking: MarkBudget): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name, marking), json(member, marking)]));
  const json = (value: Json, marking: MarkBudget): Json => {
    if (typeof value === 'string') return clean(value, marking);
    if (Array.isArray(value)) return value.map((item: Json) => json(item, marking));
    return isJsonObject(value) ? object(value, marking) : value;
  };
  return { clean, json };
}

type SecretLearner = Pick<Redactor, 'learn' | 'keep'> & {
  readonly isPublic: (text: string) => boolean;
  readonly addHere: (secret: string, mark: string) => void;
};

/** Credentials that one text teaches by their form, so that a text full of them does not fill the index. */
const maxFormsOfText = 8;

/** Learns the secrets of one case, beyond those of the run. */
function createLearner(needles: Needles, run: RunSecrets): SecretLearner {
  /** A kept value is secret, even if it is stated publicly as well. */
  const isPublic = (text: string): boolean => !needles.knows(text) && run.isPublic(text);
  const add = (what: string, secret: string): void => {
    // Most messages repeat known secrets: compute a digest only for a new one.
    if (needles.knows(secret)) return;
    const mark = redactionMark(what, secret);
    if (!needles.add(secret, mark)) return;
    run.share(secret, mark);
    for (const encoded of secretEncodings(secret)) needles.add(encoded, mark);
  };
  return {
    isPublic,
    addHere: (secret, mark) => {
      if (isPublic(secret)) return;
      // A JWS or JWE is found by its form; as a needle it would hide a header that ends like its own begins.
      const plain = isJose(secret) ? [] : [secret];
      for (const one of [...plain, ...secretEncodings(secret)]) needles.add(one, mark);
    },
    learn: (what, secret) => {
      if (!isPublic(secret)) add(what, secret);
    },
    keep: (what, secret) => {
      if (!run.isStated(secret)) add(what, secret);
    },
  };
}

/** `secretMembers` are the body members that hold a credential; `run` holds the secrets beyond the case. */
export function createRedactor(
  secretMembers: ReadonlySet<string> = new Set(),
  run: RunSecrets = createRunSecrets(),
): Redactor {
  const needles = createNeedles();
  const scan = credentialScanner(secretMembers);
  const all = [needles, run.needles] as const;
  const { learn, keep, isPublic, addHere } = createLearner(needles, run);
  const matchesIn = (text: string, marking: MarkBudget): readonly SecretMatch[] | undefined => {
    const found = findSecrets(text, all, marking.effort);
    // The beginning of a secret, at the end of a text, may itself be a public value.
    const isOne = ({ start, end }: SecretMatch): boolean => end < text.length || !isPublic(text.slice(start, end));
    return found && [...found.filter(isOne), ...secretsByForm(text, marking)];
  };
  const describe = createMarkDescriber(matchesIn, secretMembers);
  const { clean, json } = createCleaner(matchesIn, describe);
  return {
    learn,
    keep,
    mark: (what, secret) =>
      isPublic(secret) ? secret : describe(redactionMark(what, secret), secret, createMarkBudget()),
    learnMembers: (body) => {
      for (const [name, secret] of findCredentials(body, secretMembers)) learn(name, secret);
    },
    learnText: (text) => {
      for (const [name, secret] of scan(text)) learn(name, secret);
    },
    learnHere: (what, secret) => {
      if (!needles.knows(secret)) addHere(secret, redactionMark(what, secret));
    },
    learnForms: (text) => {
      const found = secretsByForm(text, createMarkBudget()).slice(0, maxFormsOfText);
      for (const { start, end, mark } of found) addHere(text.slice(start, end), mark);
    },
    text: (given) => clean(given, createMarkBudget()),
    json: (value) => json(value, createMarkBudget()),
  };
}
