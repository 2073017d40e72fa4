import { approvalsBeginSessions, askForScopesOnce } from '../deep/anew-state.ts';
import { jtiNotRepeated, takeOnce } from '../../carrier/checks/subscriber.ts';
import {
  type HintTokenContext,
  check,
  hasClaim,
  type KeyContext,
  type MessageContext,
  reader,
  type SubscriberContext,
} from '../../carrier/context.ts';
import { queryParameters } from '../../carrier/http/request.ts';
import { importPublicJwk } from '../../carrier/jose/jws.ts';
import { asText, isJsonObject, type Json, stringMember, words } from '../../carrier/json.ts';
import {
  replaceSubscriberCheck,
  withBuilders,
  withPipeline,
  withTraitSteps,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import { breakRoute, sendInternalError } from '../deep/robustness.ts';
import { combineEdits, defineFaults, defineStateful, type Edit, type Fault } from '../edit/fault-table.ts';
import { changeBuilt, changeTokens, keepClaimAs, omitMembers } from '../edit/messages.ts';
import { observeLives, userKey } from '../edit/request-life.ts';
import { addLastRefusal, addRefusal } from '../edit/requests.ts';

/** Effects of one message or request on the next. */
const leftBehind = defineStateful({
  'service-down-after-a-broken-body': [
    'A long body that is no JSON ends the worker that reads it, and the next message to any endpoint finds none.',
    'FLOW-001 UT-001 CB-025',
    loseNextMessage,
  ],
  'access-rests-after-30-quiet-days': [
    'The first request of an SP that has sent none for 30 days is refused, and wakes its access.',
    'HDR-008 FLOW-002',
    () => {
      const last = new Map<string, number>();
      return addLastRefusal(
        'access-is-awake',
        ({ client: { clientId }, now }) => {
          const before = last.get(clientId) ?? now;
          last.set(clientId, now);
          return now - before > 30 * 24 * 3_600_000;
        },
        'unauthorized_client',
      );
    },
  ],
  'opened-app-shows-no-earlier-request': [
    'The phone app shows what comes while it runs, and a request from before it was opened is gone.',
    'FLOW-001',
    () =>
      withBuilders(({ isOpen, card }) => ({
        isOpen: (request) => isOpen(request) && !isBehindTheApp(request),
        card: (request, authentication) => {
          const shown = card(request, authentication);
          return isBehindTheApp(request) ? { ...shown, shown: false } : shown;
        },
      })),
  ],
  'level-of-the-first-request-of-a-session': [
    'Requests of a user that wait together have the level of the one that came first, even after it has ended.',
    'REQ-048 REQ-056 REQ-057',
    () => {
      const sessions = new Map<string, readonly AuthorizationRequest[]>();
      return combineEdits(
        observeLives({
          opened: (request) => {
            const before = sessions.get(userKey(request)) ?? [];
            sessions.set(
              userKey(request),
              before.some(({ state }) => state === 'pending') ? [...before, request] : [request],
            );
          },
        }),
        withBuilders(({ acr }) => ({
          acr: (request, policy) => acr(sessions.get(userKey(request))?.[0] ?? request, policy),
        })),
      );
    },
  ],
  'approval-at-a1-begins-a-session': [
    'An approval without a PIN counts as an authentication, which a request for a3 then uses again.',
    'REQ-057',
    approvalsBeginSessions,
  ],
  'context-of-the-request-before': [
    'The context of a request that has ended, however it did, is that of the next one of its user without a context.',
    'REQ-071',
    keepContext,
  ],
  'scope-asked-for-once': [
    'A scope that the user has ever consented to is not asked for again, even after he took it back.',
    'REQ-080',
    askForScopesOnce,
  ],
  'jti-like-a-used-one': [
    'A jti that has the first twelve characters of a used one, or differs from it in the first alone, is taken for it.',
    'REQ-015',
    () =>
      replaceSubscriberCheck('jti-not-repeated', (context) => {
        jtiNotRepeated.run(context);
        const jti = stringMember(context.claims, 'jti') ?? '';
        if (jti.length < 12) return;
        const keys = [`first ${jti.slice(0, 12)}`, `last ${jti.slice(1)}`, `last ${jti}`];
        for (const key of keys) takeOnce(context, JSON.stringify([context.client.clientId, key]));
      }),
  ],
});

/** Claims and parts of a request that are read otherwise where they meet or have a rare form. */
/** Names that CIBA, OpenID Connect and gateways of other makers give to what a request may want. */
const foreignClaims = ['binding_message', 'display', 'message', 'msisdn', 'ttl', 'webhook'];

const rareRequests = defineFaults({
  'prompt-forgotten-without-a-sub': [
    'A request that names its user by a phone number or a login_hint_token forgets prompt login and prompt consent.',
    'REQ-044 REQ-045 REQ-047',
    withBuilders(({ claims }) => ({
      claims: (context) => {
        const built = claims(context);
        const isNone = words(asText(built['prompt'])).includes('none');
        return isNamedBySub(context) || isNone ? built : omitMembers(built, 'prompt');
      },
    })),
  ],
  'claims-of-other-standards-refused': [
    'A request with a claim that another standard has, or that other carriers have, is refused.',
    'REQ-072 REQ-087',
    addRefusal('claims-are-ours', ({ claims }) => foreignClaims.some((name) => claims[name] !== undefined)),
  ],
  'context-behind-a-list-of-scopes': [
    'A phone that asks for two scopes or more has no room left for the context.',
    'REQ-072',
    withBuilders(({ card }) => ({
      card: changeBuilt(card, (_, { consentScreen }) => (consentScreen.length >= 2 ? { context: null } : {})),
    })),
  ],
  'jti-state-or-context-required': [
    'A request without jti, state and context is refused, as the carrier has nothing to know it by.',
    'FLOW-001 FLOW-002 FLOW-003',
    addRefusal('request-can-be-known', ({ claims }) =>
      ['jti', 'state', 'context'].every((name) => claims[name] === undefined),
    ),
  ],
  'state-quoted-for-spreadsheets': [
    'A state that a spreadsheet could take for a formula is stored with an apostrophe in front of it.',
    'REQ-039 CB-010',
    keepClaimAs('state', (state) => (/^[=+@]/.test(state) ? `'${state}` : state)),
  ],
  'binding-in-another-form-ignored': [
    'A referred_binding with more members, in another order or with a zero octet in front of a coordinate is passed over.',
    'REQ-084',
    withBuilders(({ claims }) => ({
      claims: (context) => {
        const built = claims(context);
        return isPlainBinding(built['referred_binding']) ? built : omitMembers(built, 'referred_binding');
      },
    })),
  ],
  'hint-wins-over-the-hint-token': [
    'The login_hint decides if both are sent, and the login_hint_token is checked and put aside.',
    'REQ-070',
    withPipeline(({ readHintToken, readSubscriber }) => ({
      readHintToken: reader(readHintToken.name, (context: KeyContext): HintTokenContext => {
        const found = readHintToken.read(context);
        return hasClaim(context, 'login_hint')
          ? { ...found, ...readSubscriber.read(context), hint: found.hint }
          : found;
      }),
    })),
  ],
  'boxes-for-name-and-birthdate-only': [
    'Only name and birthdate have a box on the screen, so the scope of the callback has the others even if they are unticked.',
    'CB-012',
    changeTokens((_, { request: { wanted }, scopes }) => ({
      scope: wanted.scopes
        .filter((scope) => scopes.includes(scope) || !['name', 'birthdate'].includes(scope))
        .join(' '),
    })),
  ],
  'token-of-a-rare-life-ends-early': [
    'The token of a request that lives for up to a minute, or for an hour or more, ends a minute before its expires_in.',
    'CB-028',
    withBuilders(({ accessToken }) => ({
      accessToken: changeBuilt(accessToken, ({ exp }, { request: { wanted } }) =>
        wanted.expiresIn <= 60 || wanted.expiresIn >= 3600 ? { exp: Number(exp) - 60 } : {},
      ),
    })),
  ],
  'discovery-fails-for-odd-client-ids': [
    'Discovery looks a client_id up in a store that fails for a NUL, for more than 1,000 characters, and for names that every object has.',
    'DSC-014',
    breakRoute([
      'configuration',
      (request) => isOddId(asText(queryParameters(request)['client_id'])),
      sendInternalError,
    ]),
  ],
});

export const rareCaseFaults: readonly Fault[] = [...leftBehind, ...rareRequests].map((fault) => ({
  ...fault,
  keeps: 'it is a kind of its own, whatever else turns its rules',
}));

function loseNextMessage(): Edit {
  let [isDown, isLost] = [false, false];
  const note = check('worker-reads', ({ bytes }: MessageContext) => {
    isLost = isDown;
    isDown = bytes.length > 1000 && !isJson(Buffer.from(bytes).toString('utf8'));
  });
  const find = check('worker-is-there', () => {
    if (isLost) refuse('server_error', 'the worker starts again');
  });
  return combineEdits(
    withPipeline(({ onMessage, onSubscriber }) => ({
      onMessage: [note, ...onMessage],
      onSubscriber: [...onSubscriber, find],
    })),
    withTraitSteps(({ onMessage, onSubscriber }) => ({
      onMessage: [note, ...onMessage],
      onSubscriber: [...onSubscriber, find],
    })),
    withUserinfoCall(({ onToken }) => ({
      onToken: [
        ...onToken,
        check('worker-is-there', () => {
          [isLost, isDown] = [isDown, false];
          find.run(undefined);
        }),
      ],
    })),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isBehindTheApp = ({ state, subscriber, receivedAt }: AuthorizationRequest): boolean =>
  state === 'pending' && (subscriber.openedAt ?? -Infinity) > receivedAt;

function keepContext(): Edit {
  const left = new WeakMap<SubscriberState, string>();
  return combineEdits(
    observeLives({
      opened: ({ subscriber }) => void left.delete(subscriber),
      ended: ({ subscriber, wanted: { context } }) => {
        if (context !== undefined) left.set(subscriber, context);
      },
    }),
    withBuilders(({ claims }) => ({
      claims: (context) => {
        const kept = left.get(context.subscriber);
        return kept === undefined ? claims(context) : { context: kept, ...claims(context) };
      },
    })),
  );
}

function isNamedBySub(context: SubscriberContext): boolean {
  return !hasClaim(context, 'login_hint_token') && !asText(context.claims['login_hint']).startsWith('+');
}

/** Whether a key has its needed members alone, in their usual order, and no coordinate with a zero octet at its front. */
function isPlainBinding(binding: Json | undefined): boolean {
  if (!isJsonObject(binding)) return true;
  const isUsual = JSON.stringify(binding) === JSON.stringify(importPublicJwk(binding)?.jwk);
  return isUsual && ['x', 'y'].every((name) => Buffer.from(asText(binding[name]), 'base64url')[0] !== 0);
}

const isOddId = (id: string): boolean => id in {} || id.includes('\0') || id.length > 1000;
