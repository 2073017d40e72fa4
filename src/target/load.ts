import {
  at,
  type Cursor,
  entries,
  keyPlace,
  documentRoot,
  readYaml,
  type YamlDocument,
  items,
  cursorText,
  place,
} from '../suite/yaml/document.ts';
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type Json, type JsonObject, isList, omitUndefined } from '../lib/json.ts';
import { defaultTimeouts } from '../model/declaration.ts';
import type { Interface } from '../model/interface.ts';
import type { Problem } from '../model/problem.ts';
import type { TargetPosition, Target } from '../model/target.ts';
import { checkSchema, grammarValidator } from '../suite/grammar/check-schema.ts';
import { parseDuration } from '../lib/duration.ts';
import { noDayPasses, parseHours } from '../lib/hours.ts';
import { documentSchema } from '../suite/grammar/grammar.ts';
import { createProblems } from '../suite/yaml/problems.ts';
import { loadClockDriver, loadDriver } from './drivers/table.ts';
import { type GivenTarget, targetGrammar } from './grammar/target.ts';
import { clearSecrets, createMask, maskSyntax } from './mask.ts';
import { loadAttestation, loadDeclarations } from './load-declarations.ts';
import { loadCallSettings, loadAddresses, loadReceiver } from './load-connection.ts';
import { loadClient, loadSubscribers } from './load-parties.ts';
import { createReader, type Environment, type TargetReader } from './reader.ts';
import type { Path } from '../suite/yaml/yaml-tree.ts';

/** Placeholder that `carrierspec init` writes and the author must replace: `<fill in: the client_id>`. */
export const makePlaceholder = (meaning: string): string => `<fill in: ${meaning}>`;

const placeholderPattern = /^<fill in: (.*)>$/s;

function findPlaceholders(document: YamlDocument): readonly Problem[] {
  const find = (cursor: Cursor): readonly Problem[] => {
    const { value } = cursor;
    if (isList(value)) return items(cursor).flatMap(find);
    if (isJsonObject(value)) return entries(cursor).flatMap(([, member]) => find(member));
    const meaning = typeof value === 'string' ? placeholderPattern.exec(value)?.[1] : undefined;
    if (meaning === undefined) return [];
    return [document.problem({ code: 'bad-value', message: `not filled in yet: ${meaning}`, position: place(cursor) })];
  };
  return find(documentRoot(document));
}

const lineAndColumn = ({ line, column }: Problem['position']): string => `${line}:${column}`;

const isSamePosition = (one: Problem, other: Problem): boolean =>
  lineAndColumn(one.position) === lineAndColumn(other.position);

function jsonEntries(value: Json): readonly (readonly [string | number, Json])[] {
  if (isList(value)) return value.map((item, at) => [at, item] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Deepest path whose key or value begins at a position, by position. */
function indexPaths(document: YamlDocument): ReadonlyMap<string, Path> {
  const found = new Map<string, Path>();
  const visit = (value: Json, path: Path): void => {
    found.set(lineAndColumn(document.position(path)), path);
    if (typeof path.at(-1) === 'string') found.set(lineAndColumn(document.keyPosition(path)), path);
    for (const [name, member] of jsonEntries(value)) visit(member, [...path, name]);
  };
  visit(document.json, []);
  return found;
}

const isPathPrefix = (whole: Path, part: Path): boolean => part.every((name, at) => whole[at] === name);

/** Returns whether the schema has already reported a mistake at this place or around it. */
function reportedAlready(document: YamlDocument, shape: readonly Problem[]): (problem: Problem) => boolean {
  if (shape.length === 0) return () => false;
  const paths = indexPaths(document);
  const known = shape.map((problem) => ({ problem, path: paths.get(lineAndColumn(problem.position)) ?? [] }));
  const meant = shape.flatMap(({ code, hint }) =>
    code === 'unknown-key' ? (/^did you mean ("[^"]+")/.exec(hint ?? '')?.[1] ?? []) : [],
  );
  return (one) => {
    const { code, position, message } = one;
    const own = paths.get(lineAndColumn(position)) ?? [];
    if (code === 'missing-key' && meant.some((key) => message.includes(key))) return true;
    return known.some(({ problem, path }) => {
      if (isSamePosition(problem, one)) return true;
      if (problem.code === 'missing-key' || path.length === 0 || own.length === 0) return false;
      return isPathPrefix(own, path) || (isPathPrefix(path, own) && path.length === own.length + 1);
    });
  };
}

/** Parts of an interface that a target file refers to: actions, attributes and implied features. */
type TargetVocabulary = Pick<Interface, 'actions' | 'attributes' | 'impliedFeatures'>;

interface TargetOptions {
  readonly file: string;
  readonly env: Environment;
  /** Finds further problems in the readable part, for example with respect to suites. The rest of the file may have mistakes. */
  readonly also?: (target: Target) => readonly Problem[];
  readonly interface: TargetVocabulary;
}

interface LoadedTarget {
  /** Absent if there are problems. */
  readonly target?: Target;
  /** Every mistake; none shows a secret. */
  readonly problems: readonly Problem[];
}

export function loadTarget(options: TargetOptions): LoadedTarget {
  const { file, env, interface: certified, also = () => [] } = options;
  const grammar = targetGrammar(certified.actions);
  const { document, report, problems, mask } = openTargetFile(file, grammar);
  const given = document.problems.length > 0 ? undefined : grammar.read(documentRoot(document));
  if (given === undefined) return { problems: problems() };
  const reader = createReader(env, resolve(dirname(file)), report);
  const placeOf = (cursor: Cursor): TargetPosition => {
    const problem = document.problem({ code: 'unknown-name', message: '', position: keyPlace(cursor) });
    const { position, sourceLine } = mask(problem);
    return { position, ...omitUndefined({ sourceLine }) };
  };
  const target: Target = {
    file,
    fingerprint: `sha256:${createHash('sha256').update(JSON.stringify(document.json)).digest('hex')}`,
    ...loadContent(given, reader, certified),
    attestations: (given.attestations ?? []).map(([rule, one]) =>
      loadAttestation(rule, one, { reader, now: Date.now(), place: placeOf(one.cursor) }),
    ),
    supportsPlaces: new Map(cursorEntries(given.supports).map(([name, one]) => [name, placeOf(one)] as const)),
    clientPlaces: new Map((given.clients ?? []).map(([name, one]) => [name, placeOf(one.cursor)] as const)),
    scopePlaces: (given.clients ?? []).flatMap(([, { cursor }]) =>
      items(at(cursor, 'scopes')).map((scope) => [cursorText(scope) ?? '', placeOf(scope)] as const),
    ),
  };
  for (const problem of also(target)) report(problem);
  return { ...(problems().length > 0 ? {} : { target }), problems: problems() };
}

/** Reads a target file and checks it against its schema. No reported problem shows a secret. */
function openTargetFile(file: string, grammar: ReturnType<typeof targetGrammar>) {
  const written = readYaml(file);
  const { document, hidden, problems: inline } = clearSecrets(written);
  const mask = createMask({ schema: documentSchema(grammar), json: document.json, hidden });
  const problems = createProblems();
  const collect = (problem: Problem): void => problems.report(mask(problem));
  for (const problem of written.problems) collect(maskSyntax(problem));
  const shape = written.problems.length > 0 ? [] : [...inline, ...shapeProblems(document, grammar)];
  for (const problem of shape) collect(problem);
  const isSame = reportedAlready(written, shape);
  const report = (problem: Problem): void => {
    if (!isSame(problem)) collect(problem);
  };
  return { document, report, problems: problems.sorted, mask };
}

const requiredKeys = ({ required }: JsonObject): readonly string[] =>
  Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];

/** A file with none of the required keys is not a target file: report that once and nothing else. */
function shapeProblems(document: YamlDocument, grammar: ReturnType<typeof targetGrammar>): readonly Problem[] {
  const required = requiredKeys(documentSchema(grammar));
  const { json } = document;
  const isAnother = isJsonObject(json) && Object.keys(json).length > 0 && required.every((key) => !(key in json));
  if (!isAnother) {
    const left = findPlaceholders(document);
    const misshapen = checkSchema(document, grammarValidator(grammar));
    return [...left, ...misshapen.filter((one) => !left.some((other) => isSamePosition(one, other)))];
  }
  const message = `this is no target file: it has none of ${required.join(', ')}`;
  const hint = 'carrierspec init writes one';
  return [document.problem({ code: 'missing-key', message, position: document.position([]), hint })];
}

const cursorEntries = (cursor: Cursor | undefined): readonly (readonly [string, Cursor])[] =>
  cursor === undefined ? [] : entries(cursor);

type TargetContent = Omit<
  Target,
  'file' | 'fingerprint' | 'attestations' | 'supportsPlaces' | 'clientPlaces' | 'scopePlaces'
>;

function loadContent(given: GivenTarget, reader: TargetReader, certified: TargetVocabulary): TargetContent {
  const clients = (given.clients ?? []).map(([name, one]) => loadClient(name, one, reader));
  const names = clients.map(({ name }) => name);
  const declared = loadDeclarations(given, reader, certified);
  return {
    ...declared,
    name: given.carrier ?? '',
    mccmnc: given.mccmnc ?? '',
    ...loadAddresses(given, reader),
    clients,
    subscribers: loadSubscribers(given.subscribers ?? [], names, reader),
    supports: {
      ...certified.impliedFeatures(declared.latency ?? {}),
      ...Object.fromEntries(cursorEntries(given.supports).map(([name, { value }]) => [name, value === true])),
    },
    receiver: loadReceiver(given.receiver, reader),
    ...loadCallSettings(given, reader),
    drivers: Object.fromEntries(
      cursorEntries(given.drivers).flatMap(([name, one]) => {
        const driver = loadDriver(one, reader);
        return driver === undefined ? [] : [[name, driver] as const];
      }),
    ),
    requestTimeout: parseDuration(given.request_timeout ?? '') ?? defaultTimeouts.requestTimeout,
    deliveryTimeout: parseDuration(given.delivery_timeout ?? '') ?? defaultTimeouts.deliveryTimeout,
    ...omitUndefined({
      casesPerSubscriber: given.cases_per_subscriber,
      hours: loadHours(given, reader),
      profile: given.profile,
      testCarrier: given.test_carrier,
      clock: loadClock(given.clock, reader),
      traceHeader: given.trace_header,
    }),
  };
}

function loadHours({ hours: text, clock, cursor }: GivenTarget, reader: TargetReader): Target['hours'] {
  if (text === undefined) return undefined;
  const place = at(cursor, 'hours');
  if (clock !== undefined) return reader.complain(place, 'bad-value', noDayPasses);
  return (
    parseHours(text) ??
    reader.complain(
      place,
      'bad-value',
      'the hours begin and end at the same time, so no case could begin: write two different times, such as 09:00-17:00',
    )
  );
}

function loadClock(given: GivenTarget['clock'], reader: TargetReader): Target['clock'] {
  const { read, advance, flows } = given ?? {};
  if (read === undefined || advance === undefined) return undefined;
  const reads = loadClockDriver(read, reader);
  const advances = loadClockDriver(advance, reader, reads);
  if (reads === undefined || advances === undefined) return undefined;
  return { read: reads, advance: advances, ...(flows === true ? { flows } : {}) };
}
