import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';
import type { Client } from '../../model/target.ts';
import type { CaseContext, Destination, RunServices } from '../context/case-context.ts';
import { resolveUri } from '../context/scope.ts';
import type { ParsedDelivery } from './delivery.ts';

export interface Recipient {
  readonly ctx: CaseContext;
  readonly step: string;
  /** Next response of the case's script; called once. */
  readonly respond: () => ReceiverResponse;
  /** Judges the delivery by the invariants, and puts it into its inbox. */
  readonly accept: (message: string) => void | Promise<void>;
}

/** Delivery; `through` if it is authenticated by the receiver lock. */
export interface InboundDelivery {
  readonly parsed: ParsedDelivery;
  readonly through: boolean;
  readonly services: RunServices;
  /** Case or request for which the run drew the URI of the delivery. */
  readonly destination: Destination | undefined;
  /** Other cases under way that named the URI. */
  readonly besides: readonly CaseContext[];
}

const probeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request only asks whether an endpoint is there, as handshakes of other protocols do: no rule is about it (P27). */
export const isProbe = ({ method, target, bytes }: Pick<Inbound, 'method' | 'target' | 'bytes'>): boolean =>
  probeMethods.has(method) && bytes === 0 && !target.includes('?');

/** Whether a request to an event endpoint is a handshake that has its challenge in the query: an event has a token. */
export const isChallenge = ({ method, target, bytes }: Pick<Inbound, 'method' | 'target' | 'bytes'>): boolean =>
  probeMethods.has(method) &&
  bytes === 0 &&
  ![...new URLSearchParams(target.replace(/^[^?]*/, '')).values()].some(
    (value) => decodeCompactJws(value) !== undefined,
  );

export const requestPath = (target: string): string => target.replace(/[?#].*$/s, '');

/** Path and query of a client's registered event endpoint. */
export function eventEndpointPath(
  { eventUri }: Client,
  { receiver }: Pick<RunServices, 'receiver'>,
): string | undefined {
  const url = eventUri === undefined ? undefined : resolveUri(eventUri, receiver);
  return url !== undefined && URL.canParse(url) ? `${new URL(url).pathname}${new URL(url).search}` : undefined;
}

/** Client whose event endpoint has this path. */
export function findEventEndpoint(
  target: string,
  services: Pick<RunServices, 'receiver' | 'target'>,
): Client | undefined {
  const path = requestPath(target);
  return services.target.clients.find((client) => requestPath(eventEndpointPath(client, services) ?? '') === path);
}
