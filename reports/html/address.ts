/** State in the fragment: the anchor it leads to, a message there, and a search, `#REQ-015&q=is%3Afail+jti&in=exchanges`. */
export type AddressState = { anchor: string; q: string; in: string; at: string };

const names = ['q', 'in', 'at'] as const;

function decode(text: string) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const encode = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/');

/** Reads a fragment; unknown names are left out. */
export function readAddress(fragment: string): AddressState {
  const state: AddressState = { anchor: '', q: '', in: '', at: '' };
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const [first = '', value] = part.split(/=(.*)/s);
    const name = names.find((one) => one === first);
    if (value === undefined) state.anchor = part === '' ? state.anchor : decode(part);
    else if (name !== undefined) state[name] = decode(value);
  }
  return state;
}

export function writeAddress(state: AddressState) {
  const given = names.filter((name) => state[name] !== '');
  const parts = given.map((name) => `${name}=${encode(state[name])}`);
  return `#${[...(state.anchor === '' ? [] : [encode(state.anchor)]), ...parts].join('&')}`;
}
