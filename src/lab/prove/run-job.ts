import { createHash } from 'node:crypto';
import { createIdleOptions } from '../../engine/run-options.ts';
import { run } from '../../engine/run.ts';
import { invariantRules, selectSuites, type SelectedSuites } from '../../engine/plan/select.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import { errorMessage } from '../../lib/errors.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Message, RecordedMessage } from '../../model/exchange.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import { describeTool } from '../../setup/paths.ts';
import { workWithCarrier } from './carrier-place.ts';
import type { CaseOutcome, RunJob, JobOutcome, ThreadSettings } from './job.ts';

/** Patterns of random text: ids, tokens, nonces, digests, and addresses with a new port each time. */
const wordCharacters = /[\w-]+/g;
const randomPattern = /\d[\w-]{7}/;
const portPattern = /127\.0\.0\.1:\d+/g;
const maskRandom = (text: string): string =>
  text.replaceAll(portPattern, 'host').replaceAll(wordCharacters, (word) => (randomPattern.test(word) ? '*' : word));

function describeHead({ headers, body }: RecordedMessage): string {
  const names = headers.map(([name, value]) => `${name.toLowerCase()}: ${maskRandom(value)}`);
  return [...names.toSorted(), maskRandom(body)].join('\n');
}

function wireLine(message: Message, startedAt: number): string {
  const after = Math.round((message.receivedAt - startedAt) / 1000);
  if (message.kind === 'delivery') {
    return `${message.step ?? ''} ${after} ${message.method} ${maskRandom(message.target)}\n${describeHead(message.request)}`;
  }
  const { response, noResponse, step } = message;
  return `${step} ${after} ${response === undefined ? (noResponse?.reason ?? '') : `${response.status}\n${describeHead(response)}`}`;
}

/** Digest of a carrier's messages in a case without random parts; equal digests mean equal behaviour. */
function digestWire({ messages, startedAt }: CaseResult): string {
  // Messages of no step depend on earlier cases.
  const own = messages.filter(({ step }) => step !== '');
  const lines = own.map((message) => wireLine(message, startedAt)).toSorted();
  return createHash('sha256').update(lines.join('\n\n')).digest('base64url').slice(0, 16);
}

function selectJobCases(suites: Suites, { cases: wanted, what }: RunJob): SelectedSuites {
  if (what !== undefined) return selectSuites(suites, { what, level: 'informational' }, () => []);
  const ids = wanted === undefined ? undefined : new Set(wanted);
  const cases = ids === undefined ? suites.cases : suites.cases.filter(({ id }) => ids.has(id));
  const { invariants } = suites;
  const rules = new Set([
    ...cases.flatMap((one) => [...caseRuleIds(one)]),
    ...invariants.flatMap((one) => [...invariantRules(one)]),
  ]);
  return { cases, invariants, rules };
}

/** Runs the reference carrier in this thread on its sockets, with the engine as `carrierspec run` uses it. */
const tryJob = (job: RunJob, suites: Suites, settings: ThreadSettings): Promise<JobOutcome> =>
  workWithCarrier(job, settings, async ({ target, journal }) => {
    const disturbances: string[] = [];
    const { result, close } = await runEngine(job, suites, {
      target,
      journal,
      onDisturbance: (text) => disturbances.push(text),
    });
    const cases = [...result.cases].map(caseOutcome);
    close();
    return { cases, invariants: result.invariants, ...omitUndefined({ stopped: disturbances[0] }) };
  });

/** Most runs of one job. */
const maxJobRuns = 3;

/** Runs a job, again if the machine disturbed it: a disturbed run shows nothing of a fault. */
export async function runJob(job: RunJob, suites: Suites, settings: ThreadSettings): Promise<JobOutcome> {
  try {
    let outcome = await tryJob(job, suites, settings);
    for (let tries = 1; outcome.stopped !== undefined && tries < maxJobRuns; tries += 1) {
      outcome = await tryJob(job, suites, settings);
    }
    return outcome;
  } catch (error) {
    return { cases: [], invariants: [], stopped: errorMessage(error) };
  }
}

function caseOutcome(one: CaseResult): CaseOutcome {
  const { messages: _, ...summary } = one;
  return { ...summary, wire: digestWire(one) };
}

interface EngineRun {
  readonly target: Target;
  readonly journal: string;
  /** Called with each disturbance of the run by its own machine, in words. */
  readonly onDisturbance: (text: string) => void;
}

function runEngine(
  job: RunJob,
  suites: Suites,
  { target, journal, onDisturbance }: EngineRun,
): Promise<{ readonly result: Result; readonly close: () => void }> {
  const { supports = {}, order } = job;
  // Assignments are cached by the target object, so an unchanged target is passed as it is.
  const declared =
    Object.keys(supports).length === 0 ? target : { ...target, supports: { ...target.supports, ...supports } };
  return run({
    ...createIdleOptions({
      interface: serverInitiated,
      suites,
      target: declared,
      profile: 'hardened',
      tool: describeTool(),
    }),
    confirm: false,
    progress: (event) => {
      if (event.kind === 'note' && event.disturbs === true) onDisturbance(event.text);
    },
    selected: selectJobCases(suites, job),
    journal,
    ...omitUndefined({ order }),
    ...(job.serial === true ? { open: 1 } : {}),
  });
}
