import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import { findHeader } from '../../model/exchange.ts';
import type { ExecDriver } from '../../model/target.ts';
import { type Scope, MissingValue } from '../../model/suite.ts';
import { driverCommand, OptionLikeArgument } from '../../wire/send/driver-call.ts';
import { type ProgramCommand, type ProgramEnding, runInGroup } from '../../wire/send/run-program.ts';
import { type CaseContext, type CaseWith, type RunServices, Unmet } from '../context/case-context.ts';
import { learnVariableSecrets, defineDriver } from './driver.ts';
import { createScheduler, type LockRequest } from '../clock/scheduler.ts';
import { Interrupted } from '../clock/timeline.ts';
import { createHash, KeyObject } from 'node:crypto';
import { makeTemporaryFolder, removeFolder } from '../../files/folder.ts';
import { createFile, privateMode } from '../../files/write.ts';
import { join } from 'node:path';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { SigningKey } from '../../wire/build/keys.ts';

const maxLine = 200;
const maxCommand = 300;

const truncate = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/** Reduces a program's text to one line without control and format characters, because a terminal shows it. */
const flattenLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

const firstLine = (text: string): string =>
  truncate(
    text
      .split(/\r?\n/)
      .map(flattenLine)
      .find((line) => line !== '') ?? '',
    maxLine,
  );

const quoteWord = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word));

function describeFailedProgram(ran: ProgramEnding, ctx: Pick<CaseContext, 'redactor'>): string {
  const why = ran.how === 'exit' ? `exit code ${ran.code}` : ran.why;
  const said = firstLine(ctx.redactor.text(ran.stderr));
  return said === '' ? why : `${why}: ${said}`;
}

/** Reads one JSON object from standard output as the body of a response. */
function parseProgramBody(
  ran: ProgramEnding & { how: 'exit' },
  { redactor }: Pick<CaseContext, 'redactor'>,
): Json | undefined {
  const body = ran.whole ? parseJson(ran.stdout) : undefined;
  if (!isJsonObject(body)) return undefined;
  redactor.learnMembers(body);
  return body;
}

function prepareCommand(driver: ExecDriver, scope: Scope, what: string): ProgramCommand {
  try {
    return driverCommand(driver, scope);
  } catch (error) {
    if (error instanceof OptionLikeArgument) throw new Unmet(`${what} was not run: ${error.message}`);
    throw error;
  }
}

/** Learns the variables and literals of a driver: they are the operator's and may be credentials. */
function learnSecrets({ argv, variables, env }: ExecDriver, { redactor }: Pick<CaseContext, 'redactor'>): void {
  learnVariableSecrets([...argv, ...variables.map(([, value]) => value)], env, redactor);
  for (const [name, { source, paths }] of variables) {
    if (paths.length === 0 && typeof source === 'string') redactor.keep(name, source);
  }
}

/** Schedules one program at a time for each phone, and at most `limit` in all. */
export const createProgramScheduler = (timeline: RunServices['timeline'], limit: number): RunServices['programs'] =>
  createScheduler({ timeline, capacityOf: (lock) => (lock === 'programs' ? limit : 1) });

/** Resources of a program that acts on a subscriber's phone. */
export const programLocks = (subscriber: string): readonly LockRequest[] =>
  ['programs', `phone of ${subscriber}`].map((lock) => ({ lock, exclusive: false }));

/** Program to run, with its description and the resources it needs. */
interface Program {
  readonly driver: ExecDriver;
  readonly scope: Scope;
  readonly what: string;
  readonly wants: readonly LockRequest[];
}

/** Program that ran, and its command line to show, without credentials. */
interface ProgramRun {
  readonly shown: string;
  readonly ran: ProgramEnding;
}

/** Runs a program in its turn. Throws MissingValue, Interrupted and Unmet. */
async function runInTurn(
  { driver, scope, what, wants }: Program,
  ctx: CaseWith<'redactor', 'programs' | 'timeline'>,
): Promise<ProgramRun> {
  const { timeline, programs } = ctx.services;
  learnSecrets(driver, ctx);
  const command = prepareCommand(driver, scope, what);
  const ran = await programs.pass(wants, () => runInGroup(command, timeline.stopped));
  if (ran.how === 'stopped') throw new Interrupted();
  const shown = flattenLine(ctx.redactor.text(command.argv.map(quoteWord).join(' ')));
  return { ran, shown: truncate(shown, maxCommand) };
}

const programFailure = (what: string, { ran, shown }: ProgramRun, ctx: Pick<CaseContext, 'redactor'>): Unmet =>
  new Unmet(`${what} did not work: ${shown}: ${describeFailedProgram(ran, ctx)}`);

/** Output of a program that must succeed. Throws MissingValue, Interrupted and Unmet. */
async function programOutput(program: Program, ctx: CaseWith<'redactor', 'programs' | 'timeline'>): Promise<string> {
  const { driver, what } = program;
  const done = await runInTurn(program, ctx);
  const { ran, shown } = done;
  if (ran.how !== 'exit' || !driver.done.includes(ran.code)) throw programFailure(what, done, ctx);
  if (!ran.whole) throw new Unmet(`${what} did not work: ${shown}: it printed more than can be read`);
  return ran.stdout;
}

export const execDriver = defineDriver('exec', {
  attended: false,
  quoted: true,
  missingBody: 'printed no JSON object',
  run: async ({ action, driver, scope }, ctx) => {
    const what = `the driver for ${action}`;
    const done = await runInTurn({ driver, scope, what, wants: programLocks(ctx.subscriber.name) }, ctx);
    const { ran, shown } = done;
    if (ran.how === 'exit') {
      const came = { at: ctx.services.timeline.now(), summary: `${shown} (exit code ${ran.code})` };
      const body = driver.done.includes(ran.code) ? parseProgramBody(ran, ctx) : undefined;
      if (driver.done.includes(ran.code)) return { done: true, ...came, ...(body === undefined ? {} : { body }) };
      if (driver.impossible.includes(ran.code)) return { done: false, ...came };
    }
    throw programFailure(what, done, ctx);
  },
});

/** Request to prove, and the key for the proof of possession. */
interface ProofOrder {
  readonly http: HttpRequest;
  readonly key: SigningKey;
}

/** Longest header value, in characters: more than a carrier accepts in one line. */
const maxProofHeader = 16 * 1024;

const proofProgramName = 'the program for proofs of possession';

/** Private key as a JWK; a shared secret has kty oct. */
function renderKey({ raw, kid, alg }: SigningKey): string {
  const jwk =
    raw instanceof KeyObject
      ? raw.export({ format: 'jwk' })
      : { kty: 'oct', k: Buffer.from(raw).toString('base64url') };
  return JSON.stringify({ ...jwk, ...(kid === undefined ? {} : { kid }), alg, use: 'sig' });
}

/** Values that the program's templates read as `with`. */
function proofValues(
  { http, key }: ProofOrder,
  { client }: Pick<CaseContext, 'client'>,
): Readonly<Record<string, string>> {
  const { method, url, body = '' } = http;
  return {
    method,
    url,
    body,
    body_digest: createHash('sha256').update(body).digest('base64url'),
    content_type: findHeader(http.headers, 'content-type') ?? '',
    client_id: client.clientId,
    kid: key.kid ?? '',
    alg: key.alg,
  };
}

/** Header value that the program printed, trimmed. Throws Unmet unless it is one line of ASCII. */
function parseHeaderValue(printed: string): string {
  const value = printed.trim();
  if (value === '') throw new Unmet(`${proofProgramName} printed nothing`);
  if (value.length > maxProofHeader)
    throw new Unmet(`${proofProgramName} printed ${value.length} characters: more than a header holds`);
  if (/[^ -~]/.test(value))
    throw new Unmet(`${proofProgramName} printed what no header holds: one line of ASCII is wanted`);
  return value;
}

/** Lets the operator's program make the proof. The key is in a private file only while it runs. Throws Unmet. */
export async function proveByProgram(
  driver: ExecDriver,
  proving: ProofOrder,
  ctx: CaseWith<'client' | 'redactor' | 'scope', 'programs' | 'timeline'>,
): Promise<string> {
  const folder = makeTemporaryFolder('carrierspec-proof-');
  try {
    const keyFile = join(folder, 'key.json');
    createFile(keyFile, renderKey(proving.key), privateMode);
    const scope = ctx.scope({ with: { ...proofValues(proving, ctx), key_file: keyFile }, env: driver.env });
    const wants: Program['wants'] = [{ lock: 'programs', exclusive: false }];
    return parseHeaderValue(await programOutput({ driver, scope, what: proofProgramName, wants }, ctx));
  } catch (error) {
    if (error instanceof MissingValue) throw new Unmet(`${proofProgramName} was not run: ${error.message}`);
    throw error;
  } finally {
    removeFolder(folder);
  }
}
