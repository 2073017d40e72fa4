import { CarrierspecError } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import type { Sender } from '../../wire/send.ts';
import type { Endpoints } from '../world/world.ts';
import { checkEndpoints } from './endpoints.ts';
import type { Note } from './note.ts';
import { checkPublic, createProbe, reachReceiver } from './receiver.ts';

interface Start {
  readonly urls: Endpoints['urls'];
  readonly sender: Sender;
  /** The receiver listens already. */
  readonly receiver: string;
  /** Who takes what arrives there, until the run does. */
  readonly listen: (take: (inbound: Inbound) => Promise<ReceiverResponse>) => void;
}

/** A problem as the end of a run that has not begun. */
export function stopOf({ check, about, description, change, whose, place }: Note): CarrierspecError {
  const advice = change === undefined ? '' : `; ${change}`;
  return new CarrierspecError(`${check}, ${about}: ${description}${advice}`, {
    code: whose === 'configuration' ? 'preflight-configuration' : 'preflight-unreachable',
    ...(place === undefined ? {} : { problems: [place] }),
  });
}

/**
 * What would make every case come to nothing: the endpoint of requests is out of reach, or the receiver. Sends the carrier
 * nothing. Throws the first problem.
 */
export async function requireReachable(target: Target, { urls, sender, receiver, listen }: Start): Promise<void> {
  const { server_initiated: endpoint } = urls;
  const probe = createProbe();
  listen(probe.take);
  const notes = [
    // What cannot be called at all is a finding of the cases.
    ...(endpoint === undefined || !/^https?:/.test(endpoint)
      ? []
      : await checkEndpoints(target, { issuer: '', urls: { server_initiated: endpoint } }, { sender, now: Date.now })),
    ...checkPublic(receiver, endpoint),
    ...(target.receiver.url === undefined ? [] : await reachReceiver(receiver, probe, target)),
  ];
  const problem = notes.find(({ state }) => state === 'problem');
  if (problem !== undefined) throw stopOf(problem);
}
