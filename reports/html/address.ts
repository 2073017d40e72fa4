/** State in the fragment: the anchor it leads to, and filters and search, `#REQ-015&verdict=fail,warn&q=jti`. */
export type AddressState = {
  anchor: string;
  verdict: string[];
  level: string[];
  area: string[];
  q: string;
  in: string;
  at: string;
};

/** Filters that hold several values. */
export const listFilters = ['verdict', 'level', 'area'] as const;
const wordFilters = ['q', 'in', 'at'] as const;

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
  const state: AddressState = { anchor: '', verdict: [], level: [], area: [], q: '', in: '', at: '' };
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const [name = '', value] = part.split(/=(.*)/s);
    const list = listFilters.find((one) => one === name);
    const word = wordFilters.find((one) => one === name);
    if (value === undefined) state.anchor = part === '' ? state.anchor : decode(part);
    else if (list !== undefined) state[list] = value.split(',').map(decode).filter(Boolean);
    else if (word !== undefined) state[word] = decode(value);
  }
  return state;
}

export function writeAddress(state: AddressState) {
  const parts = [
    ...(state.anchor === '' ? [] : [encode(state.anchor)]),
    ...listFilters
      .filter((name) => state[name].length > 0)
      .map((name) => `${name}=${state[name].map(encode).join(',')}`),
    ...wordFilters.filter((name) => state[name] !== '').map((name) => `${name}=${encode(state[name])}`),
  ];
  return `#${parts.join('&')}`;
}
