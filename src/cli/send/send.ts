import { defined } from '../../lib/optional.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { rulesOfInvariant } from '../../engine/plan/select.ts';
import { forJson, forTerminal } from '../../report/shared/sanitize.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { exitCodes } from '../exit-codes.ts';
import type { sendDefinition } from '../definitions.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { type Setup, withCarrier } from '../shared/setup.ts';
import { renderCurl } from './curl.ts';
import { isAccepted, renderSend, reportOf, type SendReport } from './describe.ts';
import type { FromCase } from './from-case.ts';
import { chooseRequest } from './request-of.ts';

type SendFlags = Given<typeof sendDefinition>;

async function sendOnce(
  { case: given, step }: FromCase,
  { suites, options }: Setup,
  hold?: RunOptions['hold'],
): Promise<SendReport> {
  const { invariants } = suites;
  const { result, close } = await run({
    ...options,
    confirm: false,
    ...defined({ hold }),
    suites: { ...suites, cases: [given] },
    selected: { cases: [given], invariants, rules: new Set(invariants.flatMap((one) => [...rulesOfInvariant(one)])) },
  });
  try {
    return reportOf(result, step);
  } finally {
    close();
  }
}

/** A broken required rule is a failure as in a run; what could not be finished is incomplete, unless it was refused. */
function exitCodeOf({ request, invariants, case: ended }: SendReport): number {
  if ([...invariants, ended].some((one) => one?.verdict === 'fail')) return exitCodes['not conformant'];
  if (ended?.verdict === 'error') return exitCodes.internal;
  if (request?.noResponse !== undefined) return exitCodes.unreachable;
  const refused = request?.response !== undefined && !isAccepted(request);
  return ended === undefined || (ended.verdict !== 'pass' && !refused) ? exitCodes.incomplete : exitCodes.conformant;
}

function toJson({ request, callbacks, invariants, case: ended, left }: SendReport): unknown {
  return {
    ...defined({ request }),
    callbacks,
    invariants: invariants.map(({ id, title, rules, verdict, judged, violations, findings }) => ({
      id,
      title,
      rules,
      verdict,
      judged,
      violations,
      findings,
    })),
    ...defined({ verdict: ended?.verdict, reason: ended?.reason }),
    ...(left.length === 0 ? {} : { left }),
  };
}

/** The request as it would be sent, for curl. */
async function printCurl(chosen: FromCase, setup: Setup, { stdout, stderr }: Invocation): Promise<number> {
  const held: HttpRequest[] = [];
  const report = await sendOnce(chosen, setup, { step: chosen.step, take: (http) => held.push(http) });
  const [http] = held;
  if (http === undefined) {
    stderr.write(
      `carrierspec: --curl: there is no request: ${forTerminal(report.case?.reason ?? 'no reason was given')}\n`,
    );
    return exitCodes.incomplete;
  }
  if (setup.options.outlives !== true) stderr.write('the embedded reference carrier ends with this command\n');
  stdout.write(`${renderCurl(http)}\n`);
  return exitCodes.conformant;
}

/** `carrierspec send`: one request object, its response and, with --wait, its callback, held to the invariants. Gives the exit code. */
export function sendCommand(flags: SendFlags, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation;
  return withCarrier(flags, invocation, async (setup) => {
    const chosen = chooseRequest(flags, setup);
    if (flags.curl) return printCurl(chosen, setup, invocation);
    if (flags.wait !== undefined && setup.target.clock === undefined) stderr.write('waiting for the callback\n');
    const report = await sendOnce(chosen, setup);
    if (flags.json) stdout.write(`${forJson(toJson(report))}\n`);
    else stdout.write(renderSend(pageOf(invocation), report, flags.wait !== undefined));
    return setup.options.signal.aborted ? exitCodes.interrupted : exitCodeOf(report);
  });
}
