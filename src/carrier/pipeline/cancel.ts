import { type JsonObject, stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { Client } from '../state/accounts.ts';
import type { AuthorizationRequest } from '../state/requests.ts';
import { check, type Check, type Reader, reader, runChecks } from './step.ts';

/** A call of the cancel endpoint (§4.4) by a client that proved who it is. */
interface CancelMessage {
  readonly client: Client;
  readonly parameters: JsonObject;
  readonly requests: ReadonlyMap<string, AuthorizationRequest>;
}

interface CancelContext extends CancelMessage {
  readonly request: AuthorizationRequest;
}

/** The steps of a cancellation, in order. */
export interface CancelPipeline {
  readonly readRequest: Reader<CancelMessage, CancelContext>;
  readonly onRequest: readonly Check<CancelContext>[];
}

function refuseId(): never {
  return refuse('invalid_request', 'auth_req_id names no request of the client', 404);
}

/** Method and payload are not shown (§4.4); another client's id gets the response of an unknown one (CIBA Core §10.1). */
export const strictCancelPipeline: CancelPipeline = {
  readRequest: reader('cancel-names-a-request', (context) => {
    const id = stringMember(context.parameters, 'auth_req_id');
    if (id === undefined) refuse('invalid_request', 'auth_req_id is required');
    return { ...context, request: context.requests.get(id) ?? refuseId() };
  }),
  onRequest: [
    check('cancel-is-by-the-client-that-asked', ({ client, request }) => {
      if (request.client !== client) refuseId();
    }),
    check('cancel-is-of-a-pending-request', ({ request }) => {
      if (request.state !== 'pending') refuse('invalid_request', 'the request is no longer pending');
    }),
  ],
};

/** The request that is to be cancelled; throws a Refusal. */
export function runCancelPipeline(steps: CancelPipeline, message: CancelMessage): AuthorizationRequest {
  const context = steps.readRequest.read(message);
  runChecks(steps.onRequest, context);
  return context.request;
}
