import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { whyNot } from '../../lib/errors.ts';
import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import { readTraceparent } from '../../lib/traceparent.ts';
import type { Result } from '../../model/result.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { type Destination, fromEnvironment, fromFlag } from '../../trace/endpoint.ts';
import { type CollectorTls, tlsIn } from '../../trace/tls.ts';
import type { TraceOptions, Traces } from '../../trace/traces.ts';
import type { Invocation } from './invocation.ts';

/** What says where traces go: `--traces`, else the environment. */
export interface Tracing extends Pick<Invocation, 'env'> {
  readonly flag: URL | undefined;
}

/** Characters of a reason that a collector, or who stands between, may have written. */
const longestWhy = 200;

type Ending = Parameters<Traces['end']>[0];

function endingOf({ footer }: Partial<Pick<Result, 'footer'>>): Ending {
  if (footer === undefined) return { attributes: {}, failed: 'the run has no result' };
  const { outcome, exchanges, deliveries } = footer;
  const attributes = {
    'carrierspec.outcome': outcome,
    'carrierspec.exchanges': exchanges,
    'carrierspec.deliveries': deliveries,
  };
  return outcome === 'conformant' || outcome === 'not judged' ? { attributes } : { attributes, failed: outcome };
}

/** Which spans were lost, and why; undefined where none was. */
async function lostOf(traces: Traces, { origin }: URL): Promise<string | undefined> {
  const { spans, sent, why = 'it did not answer in time' } = await traces.close();
  if (sent >= spans) return undefined;
  return `traces: ${(spans - sent).toLocaleString('en-GB')} of ${countOf(spans, 'span')} did not reach ${origin}: ${forTerminal(why, longestWhy)}`;
}

const optionsOf = ({ target, run: id, interface: { id: name, version }, tool }: RunOptions) => ({
  version: tool.version,
  scheme: target.receiver.tls === undefined ? 'http' : 'https',
  ...defined({ header: target.traceHeader }),
  attributes: defined({
    'carrierspec.run.id': id,
    'carrierspec.interface': `${name} ${version}`,
    'carrierspec.clock': target.clock === undefined ? 'real' : 'virtual',
  }),
});

type Ready = Pick<TraceOptions, 'url' | 'tls'>;

/** Where traces go, with the certificates for it; or why they cannot. */
function destinationOf({ flag, env }: Tracing): Exclude<Destination, { readonly url: URL }> | Ready {
  const destination: Destination = flag === undefined ? fromEnvironment(env) : { url: fromFlag(flag) };
  if (destination === 'off' || 'wrong' in destination) return destination;
  let tls: CollectorTls;
  try {
    tls = tlsIn(env);
  } catch (cause) {
    return { wrong: `a certificate for the collector: ${whyNot('read', cause)}` };
  }
  return { url: destination.url, tls };
}

/**
 * A run, and as a trace where the flag or the environment names a collector: the SDK is loaded for nothing else. What is wrong with the
 * collector is said, and changes nothing of the run.
 */
export async function runTraced(options: RunOptions, tracing: Tracing): ReturnType<typeof run> {
  const { env } = tracing;
  const say = (text: string): void => options.progress({ kind: 'note', text });
  const destination = destinationOf(tracing);
  if (destination === 'off') return run(options);
  if ('wrong' in destination) {
    say(`no traces: ${destination.wrong}`);
    return run(options);
  }
  const { openTraces } = await import('../../trace/traces.ts');
  const parent = readTraceparent(env['TRACEPARENT'] ?? '');
  const traces = openTraces({ ...optionsOf(options), ...destination, ...defined({ parent }), env, now: Date.now });
  const { traceId } = traces;
  say(`trace: ${traceId}`);
  let result: Partial<Pick<Result, 'footer'>> = {};
  try {
    const progress: RunOptions['progress'] = (event) => {
      traces.event(event);
      options.progress(event);
    };
    const ended = await run({ ...options, traceId, progress });
    ({ result } = ended);
    return ended;
  } finally {
    traces.end(endingOf(result));
    const lost = await lostOf(traces, destination.url);
    if (lost !== undefined) say(lost);
  }
}
