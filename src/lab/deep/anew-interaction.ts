import type { AuthorizationBuilders } from '../../carrier/builders/authorization.ts';
import type { EventBuilders } from '../../carrier/builders/events.ts';
import { context8To240 } from '../../carrier/checks/claims.ts';
import { type HintTokenContext, type KeyContext, reader } from '../../carrier/context.ts';
import { stringMember } from '../../carrier/json.ts';
import {
  replaceClaimCheck,
  withBuilders,
  withEvents,
  withPipeline,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';
import type { Accounts } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import { defineFaults, defineStateful, faultTable, markDeep } from '../edit/fault-table.ts';
import { changeBuilt } from '../edit/messages.ts';
import { addRefusal } from '../edit/requests.ts';

type BuilderChange = (builders: AuthorizationBuilders) => Partial<AuthorizationBuilders>;

const isRedirectingLocally = ({ wanted }: Pick<AuthorizationRequest, 'wanted'>): boolean =>
  wanted.options.includes('local_redirect');

/** Faults in messages and decisions where two members meet. */
const builderFaults = faultTable((change: BuilderChange) => withBuilders(change), {
  'local-redirect-calls-back-at-the-first-uri': [
    'The session that local_redirect opens knows the first notification_uri of the SP alone, so the result goes there.',
    'CB-001 CB-024',
    ({ callbackUri }) => ({
      callbackUri: (request, body) => {
        const [first] = request.client.notificationUris;
        return isRedirectingLocally(request) && first !== undefined ? first : callbackUri(request, body);
      },
    }),
  ],
  'consent-read-only-as-the-first-word-with-a-context': [
    'A request with a context goes to a newer screen, which compares the beginning of prompt with consent.',
    'REQ-044 REQ-094',
    ({ consentScreen }) => ({
      consentScreen: (wanted, subscriber, client) => {
        const isMissed = wanted.context !== undefined && wanted.prompt.indexOf('consent') > 0;
        return consentScreen(isMissed ? { ...wanted, prompt: ['login'] } : wanted, subscriber, client);
      },
    }),
  ],
  'no-id-token-at-a1-without-nonce': [
    'The carrier issues an id token for an authentication or for a nonce, so a1 without nonce brings none.',
    'CB-017 REQ-090',
    ({ issuesIdToken }) => ({
      issuesIdToken: (approval) =>
        issuesIdToken(approval) && (approval.acr !== 'a1' || approval.request.wanted.nonce !== undefined),
    }),
  ],
  'profile-scopes-imply-openid': [
    'The scopes name and email together are mapped to profile, which brings openid and its id token along.',
    'CB-018',
    ({ issuesIdToken }) => ({
      issuesIdToken: (approval) =>
        issuesIdToken(approval) || ['name', 'email'].every((scope) => approval.scopes.includes(scope)),
    }),
  ],
  'nonce-equal-to-state-left-out': [
    'The carrier removes repeated values before it signs, so a nonce that equals the state is not in the id token.',
    'REQ-040',
    ({ idToken }) => ({
      idToken: changeBuilt(idToken, (_, { request: { wanted } }) =>
        wanted.nonce !== undefined && wanted.nonce === wanted.state ? { nonce: undefined } : {},
      ),
    }),
  ],
  'token-ends-with-a-short-request': [
    'A token inherits the life of a request of less than a minute, although the callback names its usual life.',
    'CB-025 CB-028',
    ({ accessToken }) => ({
      accessToken: changeBuilt(accessToken, ({ iat }, { request: { wanted } }) =>
        wanted.expiresIn < 60 ? { exp: Number(iat) + wanted.expiresIn } : {},
      ),
    }),
  ],
  'bound-to-the-first-of-two-keys': [
    'A token without referred_binding is bound to the first key of the SP, whichever of its keys has signed.',
    'REQ-085',
    ({ accessToken }) => ({
      accessToken: changeBuilt(accessToken, (_, { request: { client, wanted } }) => {
        const [first] = client.keys.values();
        return first === undefined || wanted.referredBinding !== undefined ? {} : { cnf: { jwk: first.jwk } };
      }),
    }),
  ],
  'longer-context-of-two-shown': [
    'The carrier takes a context beside the request object for the full text where it is longer than the one inside.',
    'TRN-005 REQ-072',
    ({ claims }) => ({
      claims: (context) => {
        const built = claims(context);
        const beside = stringMember(context.outside, 'context') ?? '';
        const within = stringMember(built, 'context');
        return within !== undefined && beside.length > within.length ? { ...built, context: beside } : built;
      },
    }),
  ],
});

type EventChange = (strict: EventBuilders) => Partial<EventBuilders>;

/** Faults of events where two SPs have the same sector. */
const sectorFaults = faultTable((change: EventChange) => withEvents(change), {
  'event-sub-of-the-sector': [
    'The sub of an event is looked up by sector, so two SPs of one sector both get the sub of the first.',
    'EVT-030',
    ({ sub }) => ({
      sub: (news, accounts) => {
        const first = [...accounts.clients.values()].find(({ sector }) => sector === news.client.sector);
        return sub(first === undefined ? news : { ...news, client: first }, accounts);
      },
    }),
  ],
  'sector-mates-unsubscribe-together': [
    'A subscription is kept by sector, so the SP that unsubscribes takes the alerts of the others along.',
    'EVT-001 EVT-002 EVT-003',
    ({ sub, isReported }) => {
      let known: Accounts | undefined;
      return {
        sub: (news, accounts) => {
          known = accounts;
          return sub(news, accounts);
        },
        isReported: (news) => {
          const mates = [...(known?.clients.values() ?? [])].filter(
            ({ sector, eventUri }) => sector === news.client.sector && eventUri !== undefined,
          );
          return isReported(news) && mates.every(({ flags }) => flags.get('event_subscription') === true);
        },
      };
    },
  ],
});

const otherCombinations = defineFaults({
  'context-unmeasured-beside-an-sdk-version': [
    'The SDK measures the context, so a body with an sdk_version is not measured again.',
    'REQ-074 REQ-075',
    replaceClaimCheck('context-8-to-240', (context) => {
      if (!Object.hasOwn(context.outside, 'sdk_version')) context8To240.run(context);
    }),
  ],
  'exp-measured-from-iat': [
    'The carrier allows a request object 5 minutes from iat to exp, so an older one may not end 5 minutes ahead.',
    'REQ-009 REQ-012',
    addRefusal('object-lives-5-minutes', ({ claims }) => Number(claims['exp']) - Number(claims['iat']) > 300),
  ],
  'number-wins-over-a-hint-token': [
    'The carrier takes a phone number for more exact than a login_hint_token, so it decides where both are sent.',
    'REQ-070',
    withPipeline(({ readHintToken, readSubscriber }) => ({
      readHintToken: reader(readHintToken.name, (context: KeyContext): HintTokenContext => {
        const found = readHintToken.read(context);
        const isNumber = stringMember(context.claims, 'login_hint')?.startsWith('+') === true;
        return isNumber ? { ...found, subscriber: readSubscriber.read(context).subscriber } : found;
      }),
    })),
  ],
  'edited-address-lowers-the-birthdate': [
    'An edit of the address drops the scanned document as a whole, and the birthdate loses its level with it.',
    'UI-033 UI-035',
    withUserinfo(({ level }) => ({
      level: (scope, call) => {
        const { edits } = call.subscriber;
        return scope === 'birthdate' && edits.has('address') && !edits.has('birthdate') ? 1 : level(scope, call);
      },
    })),
  ],
});

const rememberedCombinations = defineStateful({
  'denial-of-a-local-redirect-not-called-back': [
    'A denied request with local_redirect returns to the app of the SP, so the carrier makes no callback.',
    'FLOW-003 CB-022',
    () => {
      const silent = new Set<string>();
      return withBuilders(({ failure, callbackCopies }) => ({
        failure: (given) => {
          if (given.request.state === 'denied' && isRedirectingLocally(given.request)) silent.add(given.request.id);
          return failure(given);
        },
        callbackCopies: (body) => (silent.has(stringMember(body, 'auth_req_id') ?? '') ? 0 : callbackCopies(body)),
      }));
    },
  ],
  'consent-not-asked-again-with-a-hint-token': [
    'A login_hint_token shows that the user has just chosen the SP, so prompt consent has no screen.',
    'REQ-044',
    () => {
      let hasToken = false;
      return withBuilders(({ claims, consentScreen }) => ({
        claims: (context) => {
          hasToken = 'login_hint_token' in context.claims;
          return claims(context);
        },
        consentScreen: (wanted, subscriber, client) =>
          consentScreen(hasToken ? { ...wanted, prompt: [] } : wanted, subscriber, client),
      }));
    },
  ],
});

/** Faults where two valid members or two parties meet, written from the interface alone. */
export const anewInteractionFaults = markDeep('interaction', [
  ...builderFaults,
  ...sectorFaults,
  ...otherCombinations,
  ...rememberedCombinations,
]);
