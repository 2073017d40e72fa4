import { exitCodes } from '../exit-codes.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { type Setup, withCarrier } from '../shared/setup.ts';
import { isAccepted, renderSend, reportOf, type SendReport } from './describe.ts';
import { compileSend, type SendFlags } from './send-case.ts';
import { run } from '../../engine/run.ts';
import { rulesOfInvariant } from '../../engine/plan/select.ts';
import { defined } from '../../lib/optional.ts';
import type { Case } from '../../suite/suites.ts';
import { forJson } from '../../report/shared/sanitize.ts';

async function sendOnce(given: Case, { suites, options }: Setup): Promise<SendReport> {
  const { invariants } = suites;
  const { result, close } = await run({
    ...options,
    suites: { ...suites, cases: [given] },
    selected: { cases: [given], invariants, rules: new Set(invariants.flatMap((one) => [...rulesOfInvariant(one)])) },
  });
  try {
    return reportOf(result);
  } finally {
    close();
  }
}

/** A broken required rule is a failure as in a run; what could not be finished is incomplete, unless it was refused. */
function exitCodeOf({ request, invariants, case: ended }: SendReport): number {
  if (invariants.some(({ verdict }) => verdict === 'fail')) return exitCodes['not conformant'];
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

/** `carrierspec send`: one request object, its answer and, with --wait, its callback, held to the invariants. Gives the exit code. */
export function sendCommand(flags: SendFlags, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation;
  return withCarrier(flags, invocation, async (setup) => {
    if (flags.wait !== undefined && setup.target.clock === undefined) stderr.write('waiting for the callback\n');
    const report = await sendOnce(compileSend(flags, setup.target), setup);
    if (flags.json) stdout.write(`${forJson(toJson(report))}\n`);
    else stdout.write(renderSend(pageOf(invocation), report, flags.wait !== undefined));
    return setup.options.signal.aborted ? exitCodes.interrupted : exitCodeOf(report);
  });
}
