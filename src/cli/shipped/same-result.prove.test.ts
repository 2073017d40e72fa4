import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hideRandom } from '../../testing/program/random-values.ts';
import { expectGolden, goldenLines } from '../../testing/program/golden-lines.ts';
import { root, spawnCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { wholeRun } from '../../testing/program/whole-run.ts';

interface Message {
  readonly kind: string;
  readonly step?: string;
  readonly purpose?: string;
  readonly method: string;
  readonly target?: string;
  readonly request: { readonly headers: readonly (readonly [string, string])[] };
  readonly differences?: readonly { readonly what: string; readonly change: string }[];
  readonly response?: { readonly status: number };
  readonly answered?: number | string;
  readonly sentAt?: number;
  readonly receivedAt: number;
}

interface Document {
  readonly cases: readonly { readonly messages: readonly Message[] }[];
  readonly rules: readonly object[];
  readonly invariants: readonly object[];
}

/** Replaces delivery numbers and random letters, which only their position identifies. */
const plain = (value: unknown): string =>
  hideRandom(JSON.stringify(value))
    .replace(/#d\d+"/g, '#d"')
    .replace(/"[A-Za-z]{7,9}"/g, '"LETTERS"');

/** The shape of a message, without its contents. */
const shapeOf = ({ kind, step, purpose, method, target, request, differences, response, answered }: Message) => ({
  kind,
  step,
  purpose,
  method,
  answered,
  target: target?.replace(/[0-9a-f]{16}/, 'RANDOM'),
  headers: request.headers.map(([name]) => name),
  differences: differences?.map(({ what, change }) => `${what} ${change}`),
  status: response?.status,
});

/** Shapes of the messages of a case in the order of time; those of one moment, such as requests side by side, in the order of their texts. */
const shapesOf = (messages: readonly Message[]): readonly string[] =>
  messages
    .map((one) => [one.sentAt ?? one.receivedAt, JSON.stringify(shapeOf(one))] as const)
    .toSorted(([at, one], [then, other]) => at - then || one.localeCompare(other))
    .map(([, shape]) => shape);

/** Lines of a result that two runs share. */
function linesOf(path: string): string[] {
  const { cases, rules, invariants } = JSON.parse(readFileSync(path, 'utf8')) as Document;
  const judged = cases.map(({ messages, ...rest }) => [plain(rest), shapesOf(messages).join(',')].join(' '));
  return [...judged, ...rules.map(plain), ...invariants.map(plain)];
}

/** The start of the line, and both texts from shortly before they differ. */
function differenceOf(one: string, other: string): readonly string[][] {
  if (one === other) return [];
  const parts = Array.from(one).findIndex((character, at) => character !== other[at]);
  const from = Math.max(0, parts - 100);
  return [[one.slice(0, 60), one.slice(from, parts + 200), other.slice(from, parts + 200)]];
}

describe('two runs against the reference carrier', () => {
  const folders: string[] = [];
  beforeAll(async () => {
    const { code: first, out } = await wholeRun();
    const own = makeFolder();
    folders.push(out, own);
    const { code: second } = await spawnCli(['run', '--out', own], { timeLimit: 200_000 });
    expect([first, second]).toEqual([0, 0]);
  }, 400_000);

  test('give the same result document apart from ids and times', () => {
    const [first = [], second = []] = folders.map((out) => linesOf(join(out, 'result.json')));
    expect(first.length).toBeGreaterThan(500);
    expect(first.flatMap((line, at) => differenceOf(line, second[at] ?? ''))).toEqual([]);
  });

  test('decide what the golden lines say', () => {
    for (const out of folders) expectGolden('plain', goldenLines(join(out, 'result.json')));
  });

  test('write no secret: no private key, no client secret, no token, no signed request object', () => {
    const keys = join(root, 'fixtures/reference/keys');
    const secrets = readdirSync(keys).flatMap((name) => {
      const jwk = JSON.parse(readFileSync(join(keys, name), 'utf8')) as Record<string, unknown>;
      return ['d', 'p', 'q', 'dp', 'dq', 'qi'].flatMap((member) =>
        typeof jwk[member] === 'string' ? [jwk[member]] : [],
      );
    });
    const registrations = readFileSync(join(root, 'fixtures/reference/registrations.json'), 'utf8');
    secrets.push(...[...registrations.matchAll(/"secret": "([^"]+)"/g)].map(([, secret = '']) => secret));
    expect(secrets.length).toBeGreaterThan(20);
    for (const out of folders) {
      for (const name of readdirSync(out)) {
        const text = readFileSync(join(out, name), 'utf8');
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
        expect(/eyJ[\w-]{10,}\.[\w-]+/.exec(text)?.[0]).toBeUndefined();
        // An identifier that is sent as a token is public.
        expect(/[Bb]earer (?!\[|001010-)[\w-]{16,}/.exec(text)?.[0]).toBeUndefined();
      }
    }
  });
});
