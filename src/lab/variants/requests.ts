import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineVariants, type Edit } from '../edit/fault-table.ts';
import { changeRefusal } from '../edit/messages.ts';
import {
  addSubscriberCheck,
  dropChecks,
  replaceSubscriberCheck,
  withBuilders,
  withPipeline,
  withPolicy,
} from '../../carrier/seams/definition-parts.ts';
import { addRefusal, tidyContent, findKeyFirst, keepLastMembers, skipCheckIf, tidyRequest } from '../edit/requests.ts';
import { asText, isJsonList, type JsonObject } from '../../carrier/json.ts';
import {
  check,
  type Check,
  type ClientContext,
  type KeyContext,
  reader,
  type SubscriberContext,
} from '../../carrier/context.ts';
import { Refusal, refuse } from '../../carrier/refusal.ts';
import type { AuthorizationRequest, AcceptedClaims } from '../../carrier/state/requests.ts';

const halfAnHour = 1_800_000;

/** Whether `at` is at most half an hour ago; both in milliseconds. */
const isRecent = (at: number | undefined, now: number): boolean => at !== undefined && now - at <= halfAnHour;

/** Drops requests that these checks refuse: they get their 200, but no push and no callback. */
export function dropRefused(...names: readonly string[]): Edit {
  const isNamed = ({ name }: { readonly name: string }): boolean => names.includes(name);
  return (definition) => {
    const claimsToDrop = new WeakSet<JsonObject>();
    const wantedToDrop = new WeakSet<AcceptedClaims>();
    let dropsNext = false;
    const isDropped = ({ wanted }: AuthorizationRequest): boolean => wantedToDrop.has(wanted);
    const quiet = <C extends KeyContext>(one: Check<C>): Check<C> =>
      isNamed(one)
        ? check(
            one.name,
            onRefusalDo(one.run, ({ claims }) => claimsToDrop.add(claims)),
          )
        : one;
    const checked = withPipeline(({ onClaims, onSubscriber }) => ({
      onClaims: onClaims.map((one) => quiet(one)),
      onSubscriber: onSubscriber.map((one) => quiet<SubscriberContext>(one)),
    }));
    return withBuilders((builders) => ({
      claims: (context) => {
        dropsNext = claimsToDrop.has(context.claims);
        const { prompt: _, ...others } = builders.claims(context);
        // Without prompt, because prompt none would complete the request without the user.
        return dropsNext ? others : builders.claims(context);
      },
      authReqId: (wanted) => {
        if (dropsNext) wantedToDrop.add(wanted);
        return builders.authReqId(wanted);
      },
      card: (request, authentication) => ({
        ...builders.card(request, authentication),
        ...(isDropped(request) ? { shown: false } : {}),
      }),
      isOpen: (request) => !isDropped(request) && builders.isOpen(request),
      timesOutAt: (request) => (isDropped(request) ? undefined : builders.timesOutAt(request)),
    }))(checked(definition));
  };
}

function onRefusalDo<C>(run: (context: C) => void, otherwise: (context: C) => void): (context: C) => void {
  return (context) => {
    try {
      run(context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      otherwise(context);
    }
  };
}

/** Delays the lookup of a key, in milliseconds of real time. */
function delayKeys(slowness: () => number): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, async (context: ClientContext) => {
      await sleep(slowness());
      return readKey.read(context);
    }),
  }));
}

/** Delays one request in `every` by `slowness` milliseconds. */
function delayNowAndThen(every: number, slowness: number): Edit {
  return (definition) => {
    let count = 0;
    return delayKeys(() => {
      count += 1;
      return count % every === 0 ? slowness : 0;
    })(definition);
  };
}

/** Variants of requests: §2.1 to §2.3, §5. */
export const requestVariants = defineVariants({
  'form-encoding-accepted': [
    'A form is read like JSON (§2.1 speaks of both, A19).',
    withPolicy({ formAccepted: true }),
  ],
  'content-type-refused-with-400': [
    'Another content type is refused with 400 instead of 415 (§2.5 names 400).',
    changeRefusal(({ status }) => (status === 415 ? { status: 400 } : {})),
  ],
  'conflicting-values-refused': [
    'A value that differs inside and outside the request object is refused (§2.1).',
    withPolicy({ outside: 'refuse' }),
  ],
  'kid-not-validated': [
    'kid is not looked at where the client registered one key (§2.2: some carriers skip the validation).',
    findKeyFirst(({ client }) => (client.keys.size === 1 ? [...client.keys.values()][0] : undefined)),
  ],
  'sub-not-required': [
    'A request object without sub is taken (§2.3: some carriers ignore it, A18).',
    withPolicy({ subRequired: false }),
  ],
  'sub-ignored': ['sub is not looked at (§2.3: some carriers ignore it, A18).', dropChecks('sub-is-the-client')],
  'aud-not-required': [
    'A request object without aud is taken (§2.3 says required and when present, A5).',
    skipCheckIf(['aud-is-the-issuer'], ({ claims }) => !('aud' in claims)),
  ],
  'aud-list-refused': [
    'aud must be a string (§2.3 shows no list).',
    addRefusal('aud-is-text', ({ claims }) => isJsonList(claims['aud'] ?? null)),
  ],
  'stale-requests-dropped': [
    'A request object that is too old, or too far ahead, is taken and dropped (§2.3, A21).',
    dropRefused('iat-within-5-minutes', 'exp-within-5-minutes'),
  ],
  'repeated-requests-dropped': [
    'A repeated request object is taken and dropped (§2.3 jti: denied or dropped, A21).',
    dropRefused('jti-not-repeated'),
  ],
  'long-lives-dropped': [
    'A request for more than 48 hours is taken and dropped (§2.3 expires_in).',
    dropRefused('expires-in-within-48-hours'),
  ],
  'long-lives-cut': [
    'A request for more than 48 hours is granted 48 (§2.3 expires_in: carriers may error or drop, or grant less).',
    withPolicy({ maxExpiresIn: Number.MAX_SAFE_INTEGER }),
  ],
  'long-lives-granted': [
    'A request for more than 48 hours is granted what it asks for (§2.3 expires_in, §7: carriers may error or drop; a warning).',
    withPolicy({ maxExpiresIn: Number.MAX_SAFE_INTEGER, maxGrant: Number.MAX_SAFE_INTEGER }),
  ],
  'grant-of-2-minutes': [
    'No request lives longer than two minutes (§2.3 expires_in: a carrier may grant less).',
    withPolicy({ maxGrant: 120 }),
  ],
  'clocks-apart-tolerated': [
    'Ten seconds are allowed for clocks that differ (§8 says about 5 minutes, and nothing of seconds).',
    withPolicy({ iatMaxAge: 310, expMaxAhead: 310, expLeeway: 10, notBeforeLeeway: 10 }),
    { declares: { 'exact-windows': false } },
  ],
  'clocks-alike-demanded': [
    'A request object signed more than five seconds ahead is refused (§5.1 says nothing of the future).',
    withPolicy({ iatMaxAhead: 5 }),
  ],
  'jti-kept-an-hour': [
    'A jti is remembered for an hour (§2.3: within 5 minutes at least; later is left open).',
    withPolicy({ jtiWindow: 3600 }),
  ],
  'last-of-duplicates-wins': [
    'The last of two members of one name in the request object counts (RFC 7515 §4, RFC 7519 §4).',
    tidyRequest(tidyContent((content) => (isUtf8(content) ? keepLastMembers(content.toString('utf8')) : content))),
  ],
  'context-by-its-pattern': [
    'context may hold letters, digits, hyphens and percent signs only (§2.3 pattern, A17).',
    addRefusal(
      'context-in-its-pattern',
      ({ claims }) => 'context' in claims && !/^[A-Za-z0-9%-]*$/.test(asText(claims['context'])),
    ),
  ],
  'a2-is-a3': [
    'a2 is taken for a3 (§2.3 acr_values: it must not be used, and its treatment is open).',
    skipCheckIf(['acr-is-a1-or-a3'], ({ claims }) => claims['acr_values'] === 'a2'),
  ],
  'default-acr-a1': ['Without acr_values a1 is enough (§2.3 names no default, A15).', withPolicy({ defaultAcr: 'a1' })],
  'async-hyphen-token-accepted': [
    'async-token is read as async_token (§2.3 shows both spellings, A1).',
    skipCheckIf(['response-type-is-async-token'], ({ claims }) => claims['response_type'] === 'async-token'),
  ],
  'phone-numbers-refused': [
    'A phone number is refused from every client (§2.3 login_hint: some carriers take it).',
    withPipeline(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context) =>
        asText(context.claims['login_hint']).startsWith('+')
          ? refuse(context.policy.unknownHintError, 'the subscriber cannot be asked')
          : readSubscriber.read(context),
      ),
    })),
    { declares: { 'phone-hints': false } },
  ],
  'prompt-none-never': [
    'prompt none ends in interaction_required for every client (§2.3 prompt: only selected SPs may use it).',
    replaceSubscriberCheck('prompt-none-is-allowed', ({ claims }) => {
      if (asText(claims['prompt']).split(' ').includes('none'))
        refuse('interaction_required', 'the user must be asked');
    }),
    { declares: { 'silent-authorization': false } },
  ],
  'authentication-never-reused': [
    'Every a3 request asks for the PIN (§2.3 prompt: an authentication of 30 minutes may be reused).',
    withPolicy({ authenticationReuse: -1, loginReuse: 0 }),
  ],
  'silent-approval-needs-a-session': [
    'prompt none needs a user who signed in within the last 30 minutes (§2.3 prompt: no click-through sign-in).',
    addSubscriberCheck('session-is-there', ({ claims, subscriber, now }) => {
      if (!asText(claims['prompt']).split(' ').includes('none') || isRecent(subscriber.authenticatedAt, now)) return;
      refuse('interaction_required', 'the user must be asked');
    }),
  ],
  'opened-app-elevates': [
    'For 30 minutes after the user has opened the phone app a token is of a3, unless a login was asked for (§2.3 acr_values).',
    (definition) => {
      const approved = new WeakMap<AuthorizationRequest, number>();
      const isElevated = (request: AuthorizationRequest): boolean =>
        !request.wanted.prompt.includes('login') &&
        isRecent(request.subscriber.openedAt, approved.get(request) ?? Infinity);
      return withBuilders(({ acr, authentication }) => ({
        authentication: (request, policy, now) => {
          approved.set(request, now);
          return authentication(request, policy, now);
        },
        acr: (request, policy) => (isElevated(request) ? 'a3' : acr(request, policy)),
      }))(definition);
    },
  ],
  'slow-answers': ['A response takes its time (no time is stated).', delayKeys(() => 15)],
  'very-slow-now-and-then': [
    'One request in 500 takes 11.5 seconds (no time is stated, C1.22).',
    delayNowAndThen(500, 11_500),
  ],
});
