import { findAction } from '../../model/action.ts';
import type { Json } from '../../model/json.ts';
import type {
  Act,
  Difference,
  HttpAct,
  ProofDifference,
  ScriptedResponse,
  SignBase,
  TemplateMap,
  UsertraitDifference,
} from '../../model/suite.ts';
import type { Template } from '../../model/template.ts';
import { cutText } from '../../report/sanitize.ts';

/** Characters of a value beside a step. */
const valueLimit = 160;

/** A value as the suite has it; one that is a template alone stands without quotes. */
export function renderValue(source: Json): string {
  const template = typeof source === 'string' && /^\{\{[^{}]*\}\}$/.test(source);
  return cutText(template ? source : JSON.stringify(source), valueLimit);
}

const members = (prefix: string, map: TemplateMap = []): string[] =>
  map.map(([name, { source }]) => `${prefix}${name} = ${renderValue(source)}`);

const one = (label: string, template: Template | undefined): string[] =>
  template === undefined ? [] : [`${label} ${renderValue(template.source)}`];

const named = (before: string, name: string | undefined): string[] => (name === undefined ? [] : [`${before} ${name}`]);

/** Every deliberate difference from the valid request, in the order of docs/suite-language.md. */
function describeDifference(difference: Difference): readonly string[] {
  const { drop = [], dropHeader = [], raw = [], again } = difference;
  return [
    ...named('with the values and the key of the client', difference.client),
    ...members('claims.', difference.claims),
    ...drop.map((name) => `without claims.${name}`),
    ...raw.map(([name, { source }]) => `claims.${name} = the raw JSON text ${renderValue(source)}`),
    ...one('the claims followed by the raw text', difference.append),
    ...members('header.', difference.header),
    ...dropHeader.map((name) => `without header.${name}`),
    ...named('signed with the key', difference.key),
    ...named('signed with the algorithm', difference.alg),
    ...named('then changed:', difference.tamper),
    ...(again === undefined ? [] : [`exactly the object that step ${again} sent`]),
    ...one('the member request =', difference.request),
    ...members('beside request: ', difference.beside),
    ...one('the body =', difference.body),
    ...one('the body is the text', difference.text),
    ...(difference.form === true ? ['form-encoded instead of JSON'] : []),
    ...named('by the method', difference.method),
    ...members('query: ', difference.query),
    ...members('header field ', difference.headers),
  ];
}

function describeProof({ absent, value, over = {}, ...rest }: ProofDifference): readonly string[] {
  return [
    ...(absent === true ? ['without a proof of possession'] : []),
    ...one('the proof of possession is', value),
    ...describeDifference(rest).map((words) => `the proof of possession: ${words}`),
    ...one('the proof is made over the method', over.method),
    ...one('the proof is made over the URL', over.url),
    ...one('the proof is made over the body', over.body),
  ];
}

/** Every deliberate difference from the valid usertrait request (§2.8, §4.7). */
function describeUsertrait(difference: UsertraitDifference): readonly string[] {
  const { drop = [], proof } = difference;
  return [
    ...named('with the values and the key of the client', difference.client),
    ...members('', difference.members),
    ...drop.map((name) => `without ${name}`),
    ...one('the body is the text', difference.text),
    ...(difference.form === true ? ['form-encoded instead of JSON'] : []),
    ...named('by the method', difference.method),
    ...members('header field ', difference.headers),
    ...(proof === undefined ? [] : describeProof(proof)),
  ];
}

/** What a step does, in one line, and what is particular about it. */
export interface ActDescription {
  readonly act: string;
  readonly details: readonly string[];
}

function describeHttp({ to, method, path, query, headers, json, form, text, parameters }: HttpAct): ActDescription {
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

const orValid = (words: readonly string[]): readonly string[] =>
  words.length === 0 ? ['the valid request, nothing different'] : words;

type Trigger = Act & { readonly verb: 'trigger' };
type Await = Act & { readonly verb: 'await' };

function describeTrigger({ action, of: step, with: values, ifPossible, subscriber }: Trigger): ActDescription {
  const maybe = ifPossible ? ', if that is possible' : '';
  const details = [...named('the subscriber is', subscriber), ...members('with ', values)];
  return { act: `${findAction(action)?.description ?? action}${of(step)}${maybe}`, details };
}

const awaited: Readonly<Record<Await['what'], string>> = {
  callback: 'callbacks are awaited',
  events: 'events are awaited',
  canary: 'requests to the canary URL, which must not be called, are awaited',
};

function describeAwait({ what, of: step, until, client, subscriber }: Await): ActDescription {
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
export function describeAct(act: Act): ActDescription {
  switch (act.verb) {
    case 'authorize':
      return { act: 'a request object is sent', details: orValid(describeDifference(act.difference)) };
    case 'trigger':
      return describeTrigger(act);
    case 'await':
      return describeAwait(act);
    case 'look':
      return { act: `the ${act.what} on the phone is read${of(act.of)}`, details: [] };
    case 'sign':
      return { act: signed[act.base], details: describeDifference(act.difference) };
    case 'usertrait':
      return { act: 'a usertrait request is sent', details: orValid(describeUsertrait(act.difference)) };
    case 'http':
      return describeHttp(act.request);
  }
}

/** One scripted response of our receiver. */
export function describeResponse({ status, body, headers = [], delay, reset }: ScriptedResponse): string {
  const late = delay === undefined ? '' : ` after ${delay} s`;
  if (reset === true) return `the connection is reset${late}`;
  const lines = headers.map(([name, { source }]) => `, ${name}: ${renderValue(source)}`);
  return `HTTP ${status}${late}${lines.join('')}${body === undefined ? '' : `, body ${renderValue(body)}`}`;
}
