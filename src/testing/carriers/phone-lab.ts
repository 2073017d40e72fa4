import { actions } from '../../interfaces/server-initiated/actions.ts';
import { isJsonObject, type Json, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { makeVisible } from '../../report/shared/sanitize.ts';

/** A task on the page for a person. */
export interface PageTask {
  readonly id: string;
  readonly description: string;
  /** `phone`, `SP`, `request`, `case`. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Button that the person presses, and their note. */
export interface PersonReply {
  readonly button: string;
  readonly note?: string;
}

/** A subscriber of the target file, under the names of the carrier's admin API. */
interface LabPerson {
  readonly name: string;
  readonly sub: string;
}

type AdminCall = readonly [method: string, path: string, body: JsonObject];

/** Value as a page shows it; a list of texts is quoted, `"openid", "name"`. */
const readValue = (text: string): Json => parseJson(text.startsWith('"') ? `[${text}]` : text) ?? text;

/** Values after the prompt: `(flag: usertraits, on: true)`. */
function readGiven(text: string): JsonObject {
  const inside = /^ \((.*)\)$/.exec(text)?.[1];
  if (inside === undefined) return {};
  const parts = inside.split(/, (?=[a-z_]+: )/).map((part) => /^([a-z_]+): (.*)$/.exec(part) ?? []);
  return Object.fromEntries(parts.map(([, name = '', value = '']) => [name, readValue(value)]));
}

/** Replaces a person with phones: performs tasks through the reference carrier's admin API. */
export function createPhoneLab(admin: string, target: JsonObject) {
  const people = new Map<string, LabPerson>();
  const subscribers = isJsonObject(target['subscribers']) ? target['subscribers'] : {};
  for (const [name, one] of Object.entries(subscribers)) {
    const { phone, subs } = isJsonObject(one) ? one : {};
    const [sub = ''] = isJsonObject(subs) ? Object.values(subs).map(renderPlain) : [];
    people.set(renderPlain(phone), { name, sub });
  }
  const call = async ([method, path, body]: AdminCall): Promise<Json | undefined> => {
    const headers = { 'content-type': 'application/json' };
    const sent = method === 'GET' ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${admin}${path}`, sent);
    return response.ok ? parseJson(await response.text()) : undefined;
  };
  const cardsOf = async ({ facts }: PageTask): Promise<readonly JsonObject[]> => {
    const { sub } = people.get(facts['phone'] ?? '') ?? { sub: '' };
    const shown = await call(['GET', `/phone?login_hint=${encodeURIComponent(sub)}`, {}]);
    return isJsonObject(shown) && Array.isArray(shown['cards']) ? shown['cards'].filter(isJsonObject) : [];
  };
  /** Request that the person saw last, by phone and case. */
  const seen = new Map<string, string>();
  const placeOf = ({ facts }: PageTask): string => JSON.stringify([facts['phone'], facts['case'], facts['request']]);
  /** Request on the phone that the task means; undefined if the phone shows none. */
  const cardOf = async (task: PageTask): Promise<JsonObject | undefined> => {
    const { facts } = task;
    const list = await cardsOf(task);
    const says = /^the one that says ([\s\S]*)$/.exec(facts['request'] ?? '')?.[1];
    const same = list.filter(({ context }) => typeof context === 'string' && makeVisible(context) === says);
    const card = (same.length > 0 ? same : list).at(-1);
    if (card !== undefined) seen.set(placeOf(task), renderPlain(card['auth_req_id']));
    return card;
  };
  /** Whether the phone still shows the request that the person saw before. */
  const isShown = async (task: PageTask): Promise<boolean> => {
    const before = seen.get(placeOf(task));
    const list = await cardsOf(task);
    return before === undefined ? list.length > 0 : list.some((card) => card['auth_req_id'] === before);
  };
  /** Request decided last, by phone. */
  const decided = new Map<string, string>();
  const cardAfter = async ({ facts }: PageTask): Promise<JsonObject | undefined> => {
    const id = decided.get(facts['phone'] ?? '');
    const request = id === undefined ? undefined : await call(['GET', `/requests/${id}`, {}]);
    return isJsonObject(request) && isJsonObject(request['card']) ? request['card'] : undefined;
  };
  const callOf = (action: string, { facts }: PageTask, given: JsonObject): AdminCall => {
    const name = people.get(facts['phone'] ?? '')?.name ?? '';
    const client = facts['SP'] ?? '';
    const subscriber = `/subscribers/${name}`;
    const body = { ...given, client_id: client };
    const calls: Readonly<Record<string, AdminCall>> = {
      'set-flag': ['PUT', `/clients/${client}/flags`, given],
      'reset-flags': ['POST', `/clients/${client}/flags/reset`, {}],
      'remove-key': ['DELETE', `/clients/${client}/keys/${renderPlain(given['kid'])}`, {}],
      'restore-keys': ['POST', `/clients/${client}/keys/restore`, {}],
      'rotate-keys': ['POST', '/keys/rotate', {}],
      'give-consent': ['POST', `${subscriber}/consent`, body],
      'edit-profile': ['POST', `${subscriber}/edit`, given],
      'restore-profile': ['POST', `${subscriber}/restore`, {}],
      'issue-code': ['POST', '/codes', { ...body, subscriber: name }],
      'issue-login-hint-token': ['POST', '/login-hint-tokens', { ...body, subscriber: name }],
      'remove-consent': ['POST', `${subscriber}/remove-consent`, body],
      link: ['POST', `${subscriber}/link`, body],
      unlink: ['POST', `${subscriber}/unlink`, body],
    };
    return calls[action] ?? ['POST', `${subscriber}/${action}`, given];
  };
  return { call, cardOf, cardAfter, callOf, decided, isShown };
}

type PhoneLab = ReturnType<typeof createPhoneLab>;

/** Checks that the card shows what the question quotes. */
async function lookAtCard(task: PageTask, lab: PhoneLab): Promise<PersonReply> {
  if (/the request is not shown/.test(task.description)) return { button: (await lab.isShown(task)) ? 'No' : 'Yes' };
  const open = await lab.cardOf(task);
  if (/is it so that if the request is shown/.test(task.description) && open === undefined) return { button: 'Yes' };
  const card = open ?? (await lab.cardAfter(task));
  if (card === undefined) return { button: 'No' };
  if (/what does it show/.test(task.description)) return { button: 'Send', note: JSON.stringify(card).slice(0, 300) };
  if (task.description.includes('unless nothing is there') && card['context'] === undefined) return { button: 'Yes' };
  if (task.description.includes('is not a URI with a code')) {
    return { button: /[?&#](?:code|\w*token)=/.test(renderPlain(card['openedUri'])) ? 'No' : 'Yes' };
  }
  const quoted = task.description.includes(' one of ') ? [] : (task.description.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  const text = makeVisible(JSON.stringify(card));
  return { button: quoted.every((one) => text.includes(one)) ? 'Yes' : 'No' };
}

/** Performs a task, and returns the button to press. */
export async function doTask(task: PageTask, lab: PhoneLab): Promise<PersonReply> {
  if (task.description.startsWith('Look at the phone')) return lookAtCard(task, lab);
  const action = actions.find(({ prompt }) => task.description.startsWith(prompt));
  if (action === undefined) throw new Error(`nobody knows how to do this: ${task.description}`);
  const given = readGiven(task.description.slice(action.prompt.length));
  if (action.ofRequest === true) {
    const card = await lab.cardOf(task);
    const id = renderPlain(card?.['auth_req_id']);
    const path = `/requests/${id}/${action.name}`;
    const done = card === undefined ? undefined : await lab.call(['POST', path, given]);
    if (done !== undefined) lab.decided.set(task.facts['phone'] ?? '', id);
    return { button: done === undefined ? 'Cannot' : 'Done' };
  }
  const done = await lab.call(lab.callOf(action.name, task, given));
  if (done === undefined) return { button: 'Cannot' };
  const note = action.gives === undefined || !isJsonObject(done) ? undefined : renderPlain(done[action.gives]);
  return { button: 'Done', ...(note === undefined ? {} : { note }) };
}
