import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testedInterface } from '../testing/parts/tested-interface.ts';

const kernel = ['engine', 'wire', 'judge', 'journal', 'report', 'suite', 'target'];

/** Words of one interface, which a second one need not have. */
const fromTheValue = [
  ...Object.keys(testedInterface.endpoints),
  ...Object.values(testedInterface.endpoints).flatMap(({ members }) => members),
  ...testedInterface.secretMembers,
  ...testedInterface.actions.flatMap(({ name }) => (name.includes('-') ? [name] : [])),
  ...Object.values(testedInterface.baseFiles).map(({ file }) => file),
  ...testedInterface.areas.flatMap(({ families }) => families.map((family) => `${family}-0`)),
  testedInterface.id,
  testedInterface.requestId,
  testedInterface.discovery.path,
];

const further = ['notification_uri', 'login_hint', 'mccmnc', 'correlation_id', '172_800', '172800', '3660'];

/** Words that other standards or plain English share. */
const common = new Set(
  'authorization token userinfo discovery cancel code jwks access_token'
    .concat(' authorization_endpoint token_endpoint userinfo_endpoint jwks_uri')
    .split(' '),
);

const words = [...new Set([...fromTheValue, ...further])].filter((word) => !common.has(word));

/** Files that may contain some of the words, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/engine/context/scope.ts': 'templates read the members of a target file by the names that it has there',
  'src/suite/template/names.ts': 'the same names, for the linter of templates',
  'src/engine/discover.ts': 'the carrier code is a member of the target file, which the interface asks with',
  'src/engine/preflight/clients.ts': 'the advice names members of the target file',
  'src/engine/preflight/probes.ts': 'the advice names members of the target file, which the carrier codes are',
  'src/report/shared/prose.ts': 'nouns of the message kinds of src/model/suite.ts',
  'src/target/grammar/simulator.ts': 'the simulator file describes the reference carrier',
  'src/target/grammar/target.ts': 'the target file has the flags and endpoints of this interface as its keys',
  'src/target/values.ts': 'clients of the target file and of the simulator file have the flags of this interface',
  'src/target/grammar/declarations.ts': 'what an operator declares where this interface leaves it open',
  'src/target/declarations.ts': 'what was declared, by the keys of the target file',
  'src/target/load-declarations.ts': 'the carrier code is a member of the target file',
  'src/target/load.ts': 'the carrier code is a member of the target file',
  'src/wire/record/run-secrets.ts': 'the carrier codes are members of the target file, and public',
  'src/target/load-connection.ts': 'how the target file describes a cancellation',
};

function* sourcesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'testing') yield* sourcesOf(path);
    } else if (path.endsWith('.ts') && !path.endsWith('.test.ts')) yield path;
  }
}

const literal = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const pattern = new RegExp(`(?<![\\w-])(?:${words.map(literal).join('|')})(?![\\w-]*\\w)|§\\d`);

/** Lines with a word of the interface, or with a clause that belongs to no RFC. */
const foundIn = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) =>
      pattern.test(line.replaceAll(/(?:RFC|X\.|XML)[ \d.]*§[\dA-Z.]+(?: and §[\d.]+)?/g, '')) ? [line] : [],
    );

test('the kernel has no word of the interface that it is given', () => {
  const found = kernel
    .flatMap((folder) => [...sourcesOf(join('src', folder))])
    .filter((path) => foundIn(path).length > 0);
  expect(
    Object.fromEntries(found.filter((path) => !(path in exceptions)).map((path) => [path, foundIn(path)])),
  ).toEqual({});
});

test('every exception is still needed', () =>
  expect(Object.keys(exceptions).filter((path) => foundIn(path).length === 0)).toEqual([]));
