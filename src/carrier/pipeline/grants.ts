import { type JsonObject, stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { ClientState } from '../state/accounts.ts';
import type { SignIn } from '../state/records.ts';
import type { AuthorizationRequest } from '../state/requests.ts';
import { check, type Check, reader, type Reader, runChecks } from '../context.ts';

export interface CodeCall {
  readonly client: ClientState;
  readonly codes: Map<string, SignIn>;
  readonly parameters: JsonObject;
  /** Milliseconds. */
  readonly now: number;
}

interface CodeContext extends CodeCall {
  readonly signIn: SignIn;
}

export function refuseGrant(): never {
  return refuse('invalid_grant', 'the grant is not valid');
}

export interface CodePipeline {
  /** Only this step may be asynchronous, because codes may be stored remotely. */
  readonly takeCode: Reader<CodeCall, CodeContext | Promise<CodeContext>>;
  readonly onCode: readonly Check<CodeContext>[];
}

/** Returns the code of a call and its sign-in; does not remove it. */
export function findCode({ codes, parameters }: CodeCall): { readonly code: string; readonly signIn: SignIn } {
  const { code } = parameters;
  if (typeof code !== 'string') refuseGrant();
  return { code, signIn: codes.get(code) ?? refuseGrant() };
}

/** RFC 6749 §4.1.2: a code is for one use; removed at once, so that no other call finds it. */
const codeIsTakenOut = reader('code-is-taken-out', (call: CodeCall): CodeContext => {
  const { code, signIn } = findCode(call);
  call.codes.delete(code);
  return { ...call, signIn };
});

/** RFC 6749 §4.1.3: a code is for one client, one redirect_uri and a short time. */
export const strictCodePipeline: CodePipeline = {
  takeCode: codeIsTakenOut,
  onCode: [
    check('code-is-for-the-client', ({ client, signIn }) => {
      if (signIn.client !== client) refuseGrant();
    }),
    check('code-has-not-expired', ({ signIn, now }) => {
      if (signIn.expiresAt <= now) refuseGrant();
    }),
    check('code-is-for-the-redirect-uri', ({ signIn, parameters }) => {
      if (parameters['redirect_uri'] !== signIn.redirectUri) refuseGrant();
    }),
  ],
};

/** Redeems the code of a call and returns its sign-in; throws a Refusal. */
export async function runCodePipeline({ takeCode, onCode }: CodePipeline, call: CodeCall): Promise<SignIn> {
  const found = await takeCode.read(call);
  runChecks(onCode, found);
  return found.signIn;
}

/** A call of the cancel endpoint (§4.4) by an authenticated client. */
interface CancelMessage {
  readonly client: ClientState;
  readonly parameters: JsonObject;
  readonly requests: ReadonlyMap<string, AuthorizationRequest>;
}

interface CancelContext extends CancelMessage {
  readonly request: AuthorizationRequest;
}

export interface CancelPipeline {
  readonly readRequest: Reader<CancelMessage, CancelContext>;
  readonly onRequest: readonly Check<CancelContext>[];
}

function refuseId(): never {
  return refuse('invalid_request', 'auth_req_id names no request of the client', 404);
}

/** §4.4 shows neither method nor payload; another client's id gets the response of an unknown id (CIBA Core §10.1). */
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

/** Returns the request to cancel; throws a Refusal. */
export function runCancelPipeline(steps: CancelPipeline, message: CancelMessage): AuthorizationRequest {
  const context = steps.readRequest.read(message);
  runChecks(steps.onRequest, context);
  return context.request;
}
