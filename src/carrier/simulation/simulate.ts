import type { Carrier, CarrierDefinition } from '../carrier.ts';
import { recordApproval, recordDenial } from '../flow/outcomes.ts';
import type { Json } from '../json.ts';
import type { AssertionContext } from '../pipeline/assertion.ts';
import type { SubscriberContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import type { ClientState } from '../state/accounts.ts';
import type { AuthorizationRequest } from '../state/requests.ts';

/** Context of a check, as far as it is known; an early check knows little. */
type CheckKnowledge = Partial<SubscriberContext> & Partial<Pick<AssertionContext, 'audiences'>>;

const isKnown = (value: unknown): value is CheckKnowledge => typeof value === 'object' && value !== null;

const maxShown = 120;

function shortJson(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

const describeClaim =
  (name: string) =>
  ({ claims }: CheckKnowledge): string =>
    `${name} is ${shortJson(claims?.[name])}`;

const listRegistered = (values: Iterable<string>): string => {
  const list = [...values];
  return list.length === 0 ? 'none is registered' : `registered: ${list.join(', ')}`;
};

const describeAmong =
  (name: string, of: (client: ClientState) => Iterable<string>) =>
  (known: CheckKnowledge): string =>
    `${describeClaim(name)(known)}; ${listRegistered(known.client === undefined ? [] : of(known.client))}`;

const describeDistance =
  (name: string) =>
  (known: CheckKnowledge): string => {
    const { claims, now } = known;
    const value = claims?.[name];
    if (typeof value !== 'number' || now === undefined) return describeClaim(name)(known);
    const off = value - Math.floor(now / 1000);
    return `${name} is ${Math.abs(off)} s ${off < 0 ? 'ago' : 'ahead'} on the carrier’s clock`;
  };

const describePair = ({ subscriber, client }: CheckKnowledge): string =>
  `${subscriber?.name ?? '?'} and ${client?.name ?? '?'}`;

function describeHint(known: CheckKnowledge): string {
  const { claims, accounts, client } = known;
  const hint = claims?.['login_hint'];
  const base = describeClaim('login_hint')(known);
  if (typeof hint !== 'string' || client === undefined) return base;
  if (hint.startsWith('+') && client.flags.get('enum_enabled') !== true)
    return `${base}; enum_enabled is off for ${client.name}`;
  const found = accounts?.findSub(hint);
  if (found === undefined) return `${base}; no subscriber has it`;
  return `${base}; that is ${found.subscriber.name} for ${found.clientName}, and ${client.name} asks`;
}

/** Explanations for the SP's developer that a refusal hides from the SP, by the name of the check. */
const reasons: Readonly<Record<string, (known: CheckKnowledge) => string>> = {
  'content-type-is-json': ({ contentType }) => `content-type is ${shortJson(contentType)}`,
  'client-is-registered': (known) =>
    `${describeClaim('client_id')(known)}, ${describeClaim('iss')(known)}; ${listRegistered(known.accounts?.clients.keys() ?? [])}`,
  'kid-selects-the-key': ({ header, client }) =>
    `kid is ${shortJson(header?.['kid'])}; ${listRegistered(client?.keys.keys() ?? [])}`,
  'alg-fits-the-key': ({ header, key }) => `alg is ${shortJson(header?.['alg'])}; the key is for ${key?.alg ?? '?'}`,
  'signature-verifies': ({ key }) => `it is not by the registered key ${key?.kid ?? '?'}`,
  'server-initiated-is-on': ({ client }) => `the flag server_initiated of ${client?.name ?? '?'} is off`,
  'iss-is-the-client': describeClaim('iss'),
  'sub-is-the-client': describeClaim('sub'),
  'assertion-aud-is-the-endpoint': (known) =>
    `${describeClaim('aud')(known)}; the assertion may be for ${known.audiences?.join(' or ') ?? '?'}`,
  'assertion-iss-is-the-client': describeClaim('iss'),
  'assertion-jti-not-repeated': (known) => `${describeClaim('jti')(known)}, which is missing or was used before`,
  'assertion-is-of-now': (known) => `${describeDistance('iat')(known)}, ${describeDistance('exp')(known)}`,
  'aud-is-the-issuer': (known) => `${describeClaim('aud')(known)}; the issuer is ${shortJson(known.issuer)}`,
  'iat-within-5-minutes': describeDistance('iat'),
  'exp-has-not-passed': describeDistance('exp'),
  'exp-within-5-minutes': describeDistance('exp'),
  'expires-in-within-48-hours': describeClaim('expires_in'),
  'response-type-is-async-token': describeClaim('response_type'),
  'redirect-uri-registered': describeAmong('redirect_uri', ({ redirectUris }) => redirectUris),
  'notification-uri-registered': describeAmong('notification_uri', ({ notificationUris }) => notificationUris),
  'scope-is-allowed': describeAmong('scope', ({ scopes }) => scopes),
  'acr-is-a1-or-a3': describeClaim('acr_values'),
  'context-8-to-240': describeClaim('context'),
  'context-without-control-characters': describeClaim('context'),
  'correlation-id-pattern': describeClaim('correlation_id'),
  'jti-not-repeated': (known) => `${describeClaim('jti')(known)}, and it was used within 5 minutes`,
  'prompt-none-is-allowed': ({ client }) =>
    `the flag silent_authorization_enabled of ${client?.name ?? '?'} is off, or consent is missing`,
  'login-hint-names-a-subscriber': describeHint,
  'subscriber-has-the-app': ({ subscriber }) => `${subscriber?.name ?? '?'} is not enrolled`,
  'subscriber-consented-to-openid': (known) => `consents of ${describePair(known)} do not hold openid`,
  'few-requests-pending': (known) => `too many requests of ${describePair(known)} are pending`,
  'usertraits-are-on': ({ client }) => `the flag usertraits_enabled of ${client?.name ?? '?'} is off`,
};

/** Name of the client, if the check knew it. */
const clientName = (context: unknown): string | undefined => (isKnown(context) ? context.client?.name : undefined);

function explainRefusal(check: string, context: unknown): string | undefined {
  const reason = Object.hasOwn(reasons, check) ? reasons[check] : undefined;
  return reason === undefined || !isKnown(context) ? undefined : reason(context);
}

/** Act of a simulated subscriber; an absent member matches every request. */
interface SimulatedAct {
  readonly client?: string;
  readonly subscriber?: string;
  /** Matched against the context; absent, it matches requests without a context as well. */
  readonly context?: RegExp;
  readonly act: 'approve' | 'deny' | 'ignore';
  /** Delay after the request, in seconds. */
  readonly after: number;
  /** Scopes that an approval grants; default: all requested scopes. */
  readonly scopes?: readonly string[];
}

/** Script and report of a carrier that SPs are developed against. */
export interface Simulation {
  /** The first match counts. */
  readonly approvals: readonly SimulatedAct[];
  readonly tell: (line: string) => void;
}

function matchesRequest({ client, subscriber, context }: SimulatedAct, request: AuthorizationRequest): boolean {
  if (client !== undefined && client !== request.client.name) return false;
  if (subscriber !== undefined && subscriber !== request.subscriber.name) return false;
  return context === undefined || (request.wanted.context !== undefined && context.test(request.wanted.context));
}

const actVerbs = { approve: 'approves', deny: 'denies', ignore: 'leaves it alone' } as const;

function onAccepted(request: AuthorizationRequest, carrier: Carrier, { approvals, tell }: Simulation): void {
  const { client, subscriber, wanted, id, granted } = request;
  const text = wanted.context === undefined ? '' : `, ${JSON.stringify(wanted.context)}`;
  tell(`${client.name} asks ${subscriber.name} for ${wanted.scopes.join(' ')}${text}: accepted, ${id}, ${granted} s`);
  if (wanted.prompt.includes('none')) return;
  const at = approvals.findIndex((one) => matchesRequest(one, request));
  const approval = approvals[at];
  if (approval === undefined) {
    tell(`  no approval of the script fits: POST {} to /requests/${id}/approve or /deny at the admin API`);
    return;
  }
  tell(`  ${subscriber.name} ${actVerbs[approval.act]} after ${approval.after} s (approvals, entry ${at + 1})`);
  if (approval.act === 'ignore') return;
  carrier.clock.schedule(carrier.clock.now() + approval.after * 1000, () => {
    perform(approval, request, { carrier, tell });
  });
}

/** Performs the act when it is due; the request may have ended by then. */
function perform(
  { act, scopes }: SimulatedAct,
  request: AuthorizationRequest,
  { carrier, tell }: { readonly carrier: Carrier; readonly tell: Simulation['tell'] },
): void {
  const { id, subscriber, state, wanted } = request;
  if (!carrier.definition.builders.isOpen(request)) {
    tell(`${subscriber.name} would have acted on ${id}, but it is ${state}`);
    return;
  }
  tell(`${subscriber.name} ${actVerbs[act]} ${id}`);
  const ticked = scopes === undefined ? wanted.scopes : wanted.scopes.filter((scope) => scopes.includes(scope));
  if (act === 'approve') recordApproval(carrier, request, ticked.length === 0 ? wanted.scopes : ticked);
  if (act === 'deny') recordDenial(carrier, request);
}

const pipelines = ['pipeline', 'assertion', 'cancel', 'usertraits', 'userinfoCall'] as const;

/** Returns the carrier's definition with reports, and with subscribers that follow the script. */
export function simulate(carrier: Carrier, simulation: Simulation): CarrierDefinition {
  const { tell } = simulation;
  const { definition } = carrier;
  const { builders } = definition;
  const onRefusal = (check: string, { status, error, description }: Refusal, context: unknown): void => {
    const reason = explainRefusal(check, context);
    tell(`${clientName(context) ?? 'an unknown client'} is refused, ${status} ${error}: ${description} (${check})`);
    if (reason !== undefined) tell(`  because ${reason}`);
  };
  const watched = Object.fromEntries(pipelines.map((name) => [name, watchRefusals(definition[name], onRefusal)]));
  return {
    ...definition,
    ...watched,
    builders: {
      ...builders,
      response: (request, policy) => {
        onAccepted(request, carrier, simulation);
        return builders.response(request, policy);
      },
      success: (approval, tokens) => {
        tell(`tokens for ${approval.request.id ?? 'a sign-in'}: ${approval.scopes.join(' ')}`);
        return builders.success(approval, tokens);
      },
      failure: (failure) => {
        tell(`no tokens for ${failure.request.id}: ${failure.error}, ${failure.description}`);
        return builders.failure(failure);
      },
    },
  };
}

/** Receives the name of the check, its refusal and its context. */
type OnRefusal = (check: string, refusal: Refusal, context: unknown) => void;

/** Functions of a check and of a reader. */
const stepMembers: ReadonlySet<PropertyKey> = new Set(['run', 'read']);

/** Wraps a pipeline so that it reports every refusal before it passes it on. */
function watchRefusals<T extends object>(part: T, tell: OnRefusal): T {
  return new Proxy(part, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof member === 'function' && stepMembers.has(key)) {
        return watchStep(stepName(target), (context): unknown => Reflect.apply(member, undefined, [context]), tell);
      }
      return typeof member === 'object' && member !== null ? watchRefusals(member, tell) : member;
    },
  });
}

const stepName = (target: object): string => ('name' in target && typeof target.name === 'string' ? target.name : '');

type StepFunction = (context: unknown) => unknown;

function watchStep(name: string, act: StepFunction, tell: OnRefusal): StepFunction {
  const reported = (error: unknown, context: unknown): never => {
    if (error instanceof Refusal) tell(name, error, context);
    throw error;
  };
  return (context) => {
    try {
      const came = act(context);
      return came instanceof Promise ? came.catch((error: unknown) => reported(error, context)) : came;
    } catch (error) {
      return reported(error, context);
    }
  };
}
