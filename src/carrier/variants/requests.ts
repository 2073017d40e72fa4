import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineVariants } from '../faults/edit/define.ts';
import { refusing } from '../faults/edit/messages.ts';
import { insteadOf, without, withPipeline, withPolicy } from '../faults/edit/parts.ts';
import { alsoRefused, findingKeys, letThrough } from '../faults/edit/requests.ts';
import { byContent, lastOfEach, tidied } from '../faults/edit/tidy.ts';
import { asText, isJsonList } from '../json.ts';
import type { ClientContext } from '../pipeline/context.ts';
import { reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import { dropping } from './dropping.ts';

/** Milliseconds of real time. */
const slowness = 15;

/** What a carrier may do otherwise with a request: §2.1 to §2.3, §5. */
export const requestVariants = defineVariants({
  'form-encoding-accepted': {
    description: 'A form is read like JSON (§2.1 speaks of both, A19).',
    apply: withPolicy({ formAccepted: true }),
  },
  'content-type-refused-with-400': {
    description: 'Another content type is refused with 400 instead of 415 (§2.5 names 400).',
    apply: refusing(({ status }) => (status === 415 ? { status: 400 } : {})),
  },
  'conflicting-values-refused': {
    description: 'A value that differs inside and outside the request object is refused (§2.1).',
    apply: withPolicy({ outside: 'refuse' }),
  },
  'kid-not-validated': {
    description: 'kid is not looked at where the client registered one key (§2.2: some carriers skip the validation).',
    apply: findingKeys(({ client }) => (client.keys.size === 1 ? [...client.keys.values()][0] : undefined)),
  },
  'sub-not-required': {
    description: 'A request object without sub is taken (§2.3: some carriers ignore it, A18).',
    apply: withPolicy({ subRequired: false }),
  },
  'sub-ignored': {
    description: 'sub is not looked at (§2.3: some carriers ignore it, A18).',
    apply: without('sub-is-the-client'),
  },
  'aud-not-required': {
    description: 'A request object without aud is taken (§2.3 says required and when present, A5).',
    apply: letThrough(['aud-is-the-issuer'], ({ claims }) => !('aud' in claims)),
  },
  'aud-list-refused': {
    description: 'aud must be a string (§2.3 shows no list).',
    apply: alsoRefused('aud-is-text', ({ claims }) => isJsonList(claims['aud'] ?? null)),
  },
  'stale-requests-dropped': {
    description: 'A request object that is too old, or too far ahead, is taken and dropped (§2.3, A21).',
    apply: dropping('iat-within-5-minutes', 'exp-within-5-minutes'),
  },
  'repeated-requests-dropped': {
    description: 'A repeated request object is taken and dropped (§2.3 jti: denied or dropped, A21).',
    apply: dropping('jti-not-repeated'),
  },
  'long-lives-dropped': {
    description: 'A request for more than 48 hours is taken and dropped (§2.3 expires_in).',
    apply: dropping('expires-in-within-48-hours'),
  },
  'long-lives-cut': {
    description:
      'A request for more than 48 hours is granted 48 (§2.3 expires_in: carriers may error or drop, or grant less).',
    apply: withPolicy({ maxExpiresIn: Number.MAX_SAFE_INTEGER }),
  },
  'grant-of-2-minutes': {
    description: 'No request lives longer than two minutes (§2.3 expires_in: a carrier may grant less).',
    apply: withPolicy({ maxGrant: 120 }),
  },
  'clocks-apart-tolerated': {
    description: 'Ten seconds are allowed for clocks that differ (§8 says about 5 minutes, and nothing of seconds).',
    apply: withPolicy({ iatMaxAge: 310, expMaxAhead: 310, expLeeway: 10, notBeforeLeeway: 10 }),
  },
  'clocks-alike-demanded': {
    description: 'A request object signed more than five seconds ahead is refused (§5.1 says nothing of the future).',
    apply: withPolicy({ iatMaxAhead: 5 }),
  },
  'jti-kept-an-hour': {
    description: 'A jti is remembered for an hour (§2.3: within 5 minutes at least; later is left open).',
    apply: withPolicy({ jtiWindow: 3600 }),
  },
  'last-of-duplicates-wins': {
    description: 'Of two members of one name in the request object the last counts (RFC 7515 §4, RFC 7519 §4).',
    apply: tidied(byContent((content) => (isUtf8(content) ? lastOfEach(content.toString('utf8')) : content))),
  },
  'context-by-its-pattern': {
    description: 'context may hold letters, digits, hyphens and percent signs only (§2.3 pattern, A17).',
    apply: alsoRefused(
      'context-in-its-pattern',
      ({ claims }) => 'context' in claims && !/^[A-Za-z0-9%-]*$/.test(asText(claims['context'])),
    ),
  },
  'a2-is-a3': {
    description: 'a2 is taken for a3 (§2.3 acr_values: it must not be used, and what becomes of it is open).',
    apply: letThrough(['acr-is-a1-or-a3'], ({ claims }) => claims['acr_values'] === 'a2'),
  },
  'default-acr-a1': {
    description: 'Without acr_values a1 is enough (§2.3 names no default, A15).',
    apply: withPolicy({ defaultAcr: 'a1' }),
  },
  'async-hyphen-token-accepted': {
    description: 'async-token is read as async_token (§2.3 shows both spellings, A1).',
    apply: letThrough(['response-type-is-async-token'], ({ claims }) => claims['response_type'] === 'async-token'),
  },
  'phone-numbers-refused': {
    description: 'A phone number is refused from every client (§2.3 login_hint: some carriers take it).',
    declares: { 'phone-hints': false },
    apply: withPipeline(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context) =>
        asText(context.claims['login_hint']).startsWith('+')
          ? refuse(context.policy.unknownHintError, 'the subscriber cannot be asked')
          : readSubscriber.read(context),
      ),
    })),
  },
  'prompt-none-never': {
    description:
      'prompt none ends in interaction_required for every client (§2.3 prompt: only selected SPs may use it).',
    declares: { 'silent-authorization': false },
    apply: insteadOf('prompt-none-stands-alone', ({ claims }) => {
      if (asText(claims['prompt']).split(' ').includes('none'))
        refuse('interaction_required', 'the user must be asked');
    }),
  },
  'authentication-never-reused': {
    description: 'Every a3 request asks for the PIN (§2.3 prompt: an authentication of 30 minutes may be reused).',
    apply: withPolicy({ authenticationReuse: -1, loginReuse: 0 }),
  },
  'slow-answers': {
    description: 'A response takes its time (no time is stated).',
    apply: withPipeline(({ readKey }) => ({
      readKey: reader(readKey.name, async (context: ClientContext) => {
        await sleep(slowness);
        return readKey.read(context);
      }),
    })),
  },
});
