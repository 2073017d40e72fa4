import { asText } from '../../json.ts';
import type { BodyContext, ClientContext, KeyContext, MessageContext, ObjectContext } from '../../pipeline/context.ts';
import { check, type Check, reader } from '../../pipeline/step.ts';
import { refuse } from '../../refusal.ts';
import type { RegisteredKey } from '../../state/accounts.ts';
import type { Edit } from './define.ts';
import { withExtra, withLastCheck, withPipeline } from './parts.ts';

type OnObject = (context: ObjectContext) => boolean;
type OnClaims = (context: KeyContext) => boolean;

/** Lets through, unseen by the checks of these names, every request of which `isExcused` is true. */
export function letThrough(names: readonly string[], isExcused: OnClaims): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: excused(onClaims, names, isExcused) }));
}

/** As letThrough, of the checks that come before the client is known. */
export function letObjectThrough(names: readonly string[], isExcused: OnObject): Edit {
  return withPipeline(({ onObject }) => ({ onObject: excused(onObject, names, isExcused) }));
}

function excused<C>(
  checks: readonly Check<C>[],
  names: readonly string[],
  isExcused: (context: C) => boolean,
): readonly Check<C>[] {
  for (const name of names) if (!checks.some((one) => one.name === name)) throw new Error(`no check is called ${name}`);
  return checks.map((one) => (names.includes(one.name) ? check(one.name, unless(isExcused, one.run)) : one));
}

function unless<C>(isExcused: (context: C) => boolean, run: (context: C) => void): (context: C) => void {
  return (context) => {
    if (!isExcused(context)) run(context);
  };
}

/** Refuses, after all other checks on the claims, every request of which `isBad` is true. */
export function alsoRefused(name: string, isBad: OnClaims, error = 'invalid_request'): Edit {
  return withExtra(name, (context) => {
    if (isBad(context)) refuse(error, `${name} does not hold`);
  });
}

/** Ends in an internal error, before header and claims are checked, where `breaksIt` is true. */
export function failing500(breaksIt: OnObject): Edit {
  return withPipeline(({ onObject }) => ({ onObject: [internalError(breaksIt), ...onObject] }));
}

/** As failing500, of a body before it is read. */
export function failing500OnMessage(breaksIt: (bytes: Buffer) => boolean): Edit {
  return withPipeline(({ onMessage }) => ({
    onMessage: [...onMessage, internalError(({ bytes }: MessageContext) => breaksIt(Buffer.from(bytes)))],
  }));
}

/** As failing500, of what stands in `request` before it is read. */
export function failing500OnRequest(breaksIt: (request: string) => boolean): Edit {
  return withPipeline(({ onBody }) => ({
    onBody: [internalError(({ outside }: BodyContext) => breaksIt(asText(outside['request']))), ...onBody],
  }));
}

function internalError<C>(breaksIt: (context: C) => boolean): Check<C> {
  return check('no-internal-error', (context) => {
    if (breaksIt(context)) refuse('server_error', 'the carrier failed', 500);
  });
}

/** Looks for the key in a way of its own first. */
export function findingKeys(find: (context: ClientContext) => RegisteredKey | undefined): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, (context: ClientContext) => {
      const key = find(context);
      return key === undefined ? readKey.read(context) : { ...context, key };
    }),
  }));
}

/** Refuses, after everything else, every request of which `isBad` is true. */
export function refusedLast(name: string, isBad: OnClaims, error = 'invalid_request'): Edit {
  return withLastCheck(name, (context) => {
    if (isBad(context)) refuse(error, `${name} does not hold`);
  });
}
