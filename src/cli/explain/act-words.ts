import { findAction } from '../../model/action.ts';
import type { Act, HttpAct, ScriptedResponse, SignBase } from '../../model/suite.ts';
import { differenceWords, members, named, one, renderValue, usertraitWords } from './difference-words.ts';

/** What a step does, in one line, and what is particular about it. */
export interface ActWords {
  readonly act: string;
  readonly details: readonly string[];
}

function httpWords({ to, method, path, query, headers, json, form, text, parameters }: HttpAct): ActWords {
  const at = path === undefined ? '' : ` followed by ${renderValue(path.source)}`;
  const details = [
    ...members('query: ', query),
    ...members('header field ', headers),
    ...one('JSON body', json),
    ...members('form: ', form),
    ...one('body', text),
    ...members('parameter ', parameters),
  ];
  if (to === 'cancel' && parameters !== undefined) {
    return { act: `a cancellation is sent, as the target file says${at}`, details };
  }
  return { act: `${method} to the ${to} endpoint${at}`, details };
}

const of = (step: string | undefined): string => (step === undefined ? '' : ` (of step ${step})`);

const orNothing = (words: readonly string[]): readonly string[] =>
  words.length === 0 ? ['as the base request, nothing different'] : words;

type Trigger = Act & { readonly verb: 'trigger' };
type Await = Act & { readonly verb: 'await' };

function triggerWords({ action, of: step, with: values, ifPossible, subscriber }: Trigger): ActWords {
  const maybe = ifPossible ? ', if that is possible' : '';
  const details = [...named('the subscriber is', subscriber), ...members('with ', values)];
  return { act: `${findAction(action)?.description ?? action}${of(step)}${maybe}`, details };
}

const awaited: Readonly<Record<Await['what'], string>> = {
  callback: 'callbacks are awaited',
  events: 'events are awaited',
  canary: 'requests to the URL that nobody should call are awaited',
};

function awaitWords({ what, of: step, until, client, subscriber }: Await): ActWords {
  const end = until === undefined ? 'for 30 s' : `until ${until.source}`;
  const details = [...named('for the client', client), ...named('about the subscriber', subscriber)];
  return { act: `${awaited[what]}${of(step)} ${end}`, details };
}

const signed: Readonly<Record<SignBase, string>> = {
  none: 'a JWT is signed, and not sent',
  'client-assertion': 'a client assertion is signed, and not sent',
  'request-object': 'a request object is signed, and not sent',
};

/** A step's act in words. */
export function actWords(act: Act): ActWords {
  switch (act.verb) {
    case 'authorize':
      return { act: 'a request object is sent', details: orNothing(differenceWords(act.difference)) };
    case 'trigger':
      return triggerWords(act);
    case 'await':
      return awaitWords(act);
    case 'look':
      return { act: `somebody looks at the ${act.what} on the phone${of(act.of)}`, details: [] };
    case 'sign':
      return { act: signed[act.base], details: differenceWords(act.difference) };
    case 'usertrait':
      return { act: 'a usertrait request is sent', details: orNothing(usertraitWords(act.difference)) };
    case 'http':
      return httpWords(act.request);
  }
}

/** One scripted answer of our receiver. */
export function receiverWords({ status, body, headers = [], delay, reset }: ScriptedResponse): string {
  const late = delay === undefined ? '' : ` after ${delay} s`;
  if (reset === true) return `the connection is reset${late}`;
  const lines = headers.map(([name, { source }]) => `, ${name}: ${renderValue(source)}`);
  return `HTTP ${status}${late}${lines.join('')}${body === undefined ? '' : `, body ${renderValue(body)}`}`;
}
