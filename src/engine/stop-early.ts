import type { Timeline } from './clock/timeline.ts';
import type { World } from './context/case-context.ts';
import { describeSilence, type SilentEndpoint } from './context/circuit.ts';
import type { RunOptions, Stop } from './run-options.ts';

/** What ends a run before its cases. */
interface Stopping {
  readonly options: Pick<RunOptions, 'bail' | 'keepGoing' | 'progress'>;
  readonly stop: Stop;
}

/** A client whose plain request is refused would be refused all day: the target file or the registration is not right. */
export function stopRefused({ stop, options }: Stopping, timeline: Timeline): World['onFirstRefused'] {
  if (options.keepGoing !== false) return undefined;
  const before = new Map<string, string>();
  return ({ client, case: id, sent, came, causes }) => {
    const first = before.get(client);
    before.set(client, first ?? id);
    // One refusal may be a hiccup of what stands in front of the carrier.
    if (stop.reason !== undefined || first === undefined || first === id) return;
    stop.reason = `stopped: the carrier refuses the plain request of client ${client}, so no other verdict would mean anything`;
    stop.root = { client, cases: [first, id], sent, came, causes };
    options.progress({
      kind: 'note',
      text: `stopped: the carrier refuses the plain request of client ${client}: ${came}`,
    });
    timeline.interrupt();
  };
}

/** An endpoint that answered nothing yet would take the whole time limit of each request. */
export function stopSilent({ stop, options }: Stopping, timeline: Timeline): (endpoint: SilentEndpoint) => void {
  return (endpoint) => {
    if (options.keepGoing !== false || !endpoint.never || stop.reason !== undefined) return;
    stop.reason = `stopped: ${describeSilence(endpoint)}. Look at carrierspec check --preflight; --keep-going runs on`;
    options.progress({ kind: 'note', text: stop.reason });
    timeline.interrupt();
  };
}

/** `--bail`: what is under way is stopped, and what has not begun does not run. */
export function bailOut(where: string, { options, stop }: Stopping, timeline: Timeline): void {
  if (!options.bail || stop.reason !== undefined) return;
  stop.reason = `stopped after the first failure, ${where} (--bail)`;
  timeline.interrupt();
}
