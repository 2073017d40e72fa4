import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { unchainedText } from '../../journal/entries.ts';
import { findSealFlaw } from '../../journal/seal.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Seal } from '../../model/result.ts';
import { readSuites } from '../../setup/read-files.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { parseDocument, rechain } from '../../testing/results/reseal.ts';
import { readCertifiable, type SigningProgram } from './certify.ts';

const folder = makeFolder();
const at = (name: string): string => join(folder, name);
const selection = ['denial-is-request-denied', 'correlation-id-not-invented', 'auth-req-id-shape'];
const written = { result: '', journal: '' };
let signer: SigningProgram;

beforeAll(async () => {
  const { code, stderr } = await runCli(['run', ...selection, '--out', at('run')], { cwd: folder });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  written.result = readFileSync(at('run/result.json'), 'utf8');
  written.journal = readFileSync(at('run/journal.jsonl'), 'utf8');
  const { tool } = parseDocument(written.result).header;
  const suites = await readSuites([]);
  signer = { ...tool, additions: [], interface: serverInitiated, suites };
});

/** Returns why a result or journal is not certified, or undefined if it is. */
function refusalOf(text: string): string | undefined {
  const file = at('edited');
  writeFileSync(file, text);
  try {
    const checked = readCertifiable(file, signer);
    return 'refused' in checked ? checked.refused.message : undefined;
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    return error.message.replace(file, 'edited');
  }
}

type Holder = Record<string, unknown> | unknown[];
type Document = Record<'cases' | 'invariants', { messages: Record<string, unknown>[]; judged: number }[]> &
  Record<'footer', Record<string, unknown>> & { declarations: unknown[] };

/** Text of the document after an edit. */
function edited(edit: (document: Document) => void): string {
  const document = JSON.parse(written.result) as Document;
  edit(document);
  return JSON.stringify(document);
}

const messagesOf = ({ cases }: Document, kind: string): Record<string, unknown>[] =>
  cases.flatMap(({ messages }) => messages.filter((one) => one['kind'] === kind));

function respond(document: Document, response: object): void {
  const [first] = messagesOf(document, 'exchange').filter((one) => one['purpose'] === 'request');
  if (first === undefined) throw new Error('there is no request');
  first['response'] = { ...(first['response'] as object), ...response };
}

const changed = /it is not as its run wrote it: the case \S+ was changed, or moved, or is new$/;
const besideCases =
  /it is not as its run wrote it: its header, rules, invariants, unsolicited deliveries or footer were/;
const either = /contradicts itself: /;

describe('a result that was edited is not certified', () => {
  test('and one that was not edited is', () => {
    expect(refusalOf(written.result)).toBeUndefined();
    expect(refusalOf(written.journal)).toBeUndefined();
  });

  test.each<[string, (document: Document) => void, RegExp]>([
    [
      'deliveries taken out of the cases',
      ({ cases }) => {
        for (const one of cases) one.messages = one.messages.filter(({ kind }) => kind !== 'delivery');
      },
      /contradicts itself: its cases have 0 deliveries, and its footer counts 2$/,
    ],
    ['an accepted response made a failure of the server', (one) => respond(one, { status: 500 }), either],
    [
      'an accepted response made a refusal',
      (one) => respond(one, { status: 400, body: '{"error":"invalid_request"}' }),
      either,
    ],
    [
      'the body of a request',
      (document) => {
        const [first] = messagesOf(document, 'exchange');
        if (first !== undefined) first['request'] = { headers: [], body: 'another', bytes: 7 };
      },
      changed,
    ],
    [
      'the messages of two cases swapped',
      ({ cases: [one, other] }) => {
        if (one !== undefined && other !== undefined) [one.messages, other.messages] = [other.messages, one.messages];
      },
      /contradicts itself: the case \S+ has the message \S+, which is of another case$/,
    ],
    [
      'two cases swapped',
      ({ cases }) => {
        cases.push(...cases.splice(0, 1));
      },
      either,
    ],
    [
      'more messages judged by an invariant',
      ({ invariants: [first] }) => {
        if (first !== undefined) first.judged += 1;
      },
      besideCases,
    ],
    [
      'fewer messages judged by an invariant',
      ({ invariants }) => {
        const some = invariants.find(({ judged }) => judged > 0);
        if (some !== undefined) some.judged -= 1;
      },
      besideCases,
    ],
    [
      'declarations dropped',
      ({ declarations }) => {
        declarations.pop();
      },
      besideCases,
    ],
    [
      'strangers',
      ({ footer }) => {
        footer['strangers'] = 3;
      },
      /contradicts itself: it has 0 deliveries of strangers, and its footer counts 3$/,
    ],
    [
      'deliveries of the footer',
      ({ footer }) => {
        footer['deliveries'] = 1000;
      },
      /contradicts itself: its cases have 2 deliveries, and its footer counts 1000$/,
    ],
    [
      'the seal taken out',
      ({ footer }) => {
        delete footer['seal'];
      },
      /it has no seal, which a run writes into the footer of its result$/,
    ],
    [
      'the digests of the cases cut',
      ({ footer }) => {
        const seal = footer['seal'] as Seal;
        footer['seal'] = { ...seal, caseDigests: seal.caseDigests.slice(0, -8) };
      },
      changed,
    ],
  ])('%s', (_, edit, says) => {
    const text = edited(edit);
    expect(text).not.toBe(JSON.stringify(JSON.parse(written.result)));
    expect(refusalOf(text)).toMatch(says);
  });

  /** Another value of the same type. */
  function otherValue(value: unknown): unknown {
    if (typeof value === 'string')
      return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
    if (typeof value === 'number') return value + 1;
    return value === null ? true : value === false;
  }

  /** Changes each value of a document in turn. */
  function* changeEach(holder: Holder, path: string, changing: (path: string) => void): Iterable<string> {
    for (const [key, value] of Object.entries(holder)) {
      const place = `${path}.${key}`;
      if (typeof value === 'object' && value !== null) {
        yield* changeEach(value as Holder, place, changing);
        continue;
      }
      Reflect.set(holder, key, otherValue(value));
      changing(place);
      Reflect.set(holder, key, value);
      yield place;
    }
  }

  test('any one value of it: each breaks the seal, and a sample of them is refused', () => {
    const document = JSON.parse(written.result) as Holder;
    const [unsealed, signed]: [string[], string[]] = [[], []];
    let count = 0;
    const changing = (place: string): void => {
      count += 1;
      // Judging takes longer than a digest: every tenth document is judged as well.
      const text = JSON.stringify(document);
      if (findSealFlaw(parseDocument(text)) === undefined) unsealed.push(place);
      if (count % 10 === 1 && refusalOf(text) === undefined) signed.push(place);
    };
    expect([...changeEach(document, '', changing)].length).toBeGreaterThan(400);
    expect({ unsealed, signed }).toEqual({ unsealed: [], signed: [] });
  }, 120_000);
});

describe('a journal that was edited is not certified', () => {
  const lines = (): string[] => written.journal.split('\n').slice(0, -1);

  test('in any of its lines', () => {
    for (const [at, line] of lines().entries()) {
      const text = lines().with(
        at,
        line.replace(/(\d)(?=[^\d]*$)/, (digit) => (digit === '0' ? '1' : '0')),
      );
      expect(refusalOf(`${text.join('\n')}\n`)).toContain(`edited:${at + 1}: this line was changed`);
      const without = refusalOf(`${lines().toSpliced(at, 1).join('\n')}\n`);
      expect(without, `without line ${at + 1}`).toBeDefined();
    }
  });

  test('with the chain that follows, and without chains', () => {
    const turned = written.journal.replace(/"strangers":\d+|"wallMilliseconds":\d+/, '"wallMilliseconds":1');
    expect(refusalOf(rechain(turned))).toMatch(besideCases);
    const bare = lines().map((line) => unchainedText(line)?.text ?? '');
    expect(refusalOf(`${bare.join('\n')}\n`)).toBeUndefined();
  });
});
