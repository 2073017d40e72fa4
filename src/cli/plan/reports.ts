import type { Forecast } from '../../engine/plan/forecast.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { isPlanFormat, planFormats } from '../../report/formats.ts';
import type { PlanSheet } from '../../report/plan/sheet.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { planDefinition } from '../definitions/certify.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { filesOf, parseWantedOf, writeWanted } from '../shared/reports.ts';

type GivenPlan = Pick<Given<typeof planDefinition>, 'report' | 'start' | 'json' | 'target' | 'budget'>;

interface Planned {
  readonly target: string;
  readonly clock: 'real' | 'virtual';
  readonly given: GivenPlan;
}

const prompts = new Map(serverInitiated.actions.map(({ name, prompt }) => [name, prompt]));

const paces = {
  real: 'These are times without responses and deliveries, which come on top: be there a little earlier, and stay a little longer.',
  virtual: 'The target has a virtual clock: these are times on it, and the run passes them in seconds.',
};

/** What people have to do of a plan; undefined where nobody says when it begins. */
export function sheetOf({ manualTasks, longest }: Forecast, { target, clock, given }: Planned): PlanSheet | undefined {
  if (given.start === undefined) return undefined;
  return {
    target,
    start: given.start,
    longest,
    tasks: manualTasks.map(({ at, action, own, given: inside, phone, client, case: id }) => ({
      at,
      prompt: own ?? `${prompts.get(action) ?? action}${inside}`,
      phone,
      client,
      case: id,
    })),
    notes: [paces[clock]],
  };
}

/** Checks what is asked for before anything is planned; what it gives writes the reports. */
export function planReports(given: GivenPlan, { stdout, stderr }: Invocation) {
  const known = { isFormat: isPlanFormat, names: Object.keys(planFormats) };
  const wanted = parseWantedOf(given.report, known, given.target === undefined ? [] : [given.target]);
  if (wanted.length > 0 && given.start === undefined) throw usageError('--report: --start says when the run begins');
  if (wanted.length === 0 && given.start !== undefined) throw usageError('--start is of --report');
  if (given.json && wanted.some(({ path }) => path === '-')) {
    throw usageError('--json and --report: only one of them can go to stdout');
  }
  return async (sheet: PlanSheet | undefined): Promise<void> => {
    if (sheet === undefined) return;
    await writeWanted(wanted, async (format) => (await planFormats[format]())(sheet), stdout);
    const written = filesOf(wanted);
    if (written.length > 0) stderr.write(`reports: ${forTerminal(written.join(', '))}\n`);
  };
}
