import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';
import { createPhoneLab, doTask, type PageTask, type PersonReply } from '../carriers/phone-lab.ts';
import { startCli } from '../program/spawn-cli.ts';
import { makeFolder, type SpawnedCarrier, writeTargetWith } from '../program/target-file.ts';
import { answerLive } from './person-at-live.ts';

const ask = { ask: true, timeout: '30s' };
const byHand = { approve: ask, deny: ask, look: ask };

function readObject(path: string): JsonObject {
  const value = parseJson(readFileSync(path, 'utf8'));
  return isJsonObject(value) ? value : {};
}

export interface Attended {
  readonly code: number | null;
  readonly stdout: string;
  readonly out: string;
  readonly tasks: readonly PageTask[];
  readonly result: JsonObject;
  readonly only: JsonObject;
}

type Act = (task: PageTask, number: number, doIt: (task: PageTask) => Promise<PersonReply>) => Promise<PersonReply>;

/** Runs cases while a person at the page does what `act` says. */
export async function attend(
  carrier: SpawnedCarrier,
  cases: readonly string[],
  act: Act,
  name = 'Ann',
): Promise<Attended> {
  const target = writeTargetWith(byHand);
  const out = makeFolder();
  const formats = ['junit', 'markdown', 'ctrf', 'annotations', 'sarif'];
  const reports = formats.flatMap((format) => ['--report', `${format}=${join(out, format)}`]);
  const running = startCli(['run', ...cases, '--target', target, '--out', out, ...reports, '--live'], {
    env: carrier.env,
    timeLimit: 200_000,
  });
  const lab = createPhoneLab(carrier.env['REFERENCE_ADMIN'] ?? '', readObject(target));
  const tasks = await answerLive(running, name, (task, number) => act(task, number, (one) => doTask(one, lab)));
  const { code, stdout } = await running.ended;
  const result = readObject(join(out, 'result.json'));
  const [only = {}] = Array.isArray(result['cases']) ? result['cases'].filter(isJsonObject) : [];
  return { code, stdout, out, tasks, result, only };
}

/** Texts of the cards that ask for this decision. */
export const cardsOf = (tasks: readonly PageTask[], decision: 'Approve' | 'Deny'): readonly string[] =>
  tasks.filter(({ description }) => description.startsWith(decision)).map((task) => JSON.stringify(task));

/** Cards with a word of another decision than the one to take. */
export const misleadingCards = (tasks: readonly PageTask[]): readonly string[] => [
  ...cardsOf(tasks, 'Deny').filter((card) => /approv/i.test(card)),
  ...cardsOf(tasks, 'Approve').filter((card) => /\bden[iy]/i.test(card)),
];
