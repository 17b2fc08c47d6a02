/**
 * Returns the headers about the other pages of a list: `Link` (RFC 8288) with the relations first, prev,
 * next and last as far as they exist, and `X-Total-Count`.
 * @param address of the list, absolute, without a query
 * @param parameters other query parameters of the request, which the links repeat
 */
export function pageHeaders(
  address: string,
  { page, perPage }: { page: number; perPage: number },
  total: number,
  parameters = new URLSearchParams(),
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const links = [
    ['first', 1],
    ...(page > 1 ? [['prev', Math.min(page - 1, last)]] : []),
    ...(page < last ? [['next', page + 1]] : []),
    ['last', last],
  ];
  const more = parameters.size === 0 ? '' : `&${parameters.toString()}`;
  const link = links.map(
    ([rel, n]) => `<${address}?page=${n}&per_page=${perPage}${more}>; rel="${rel}"`,
  );
  return { Link: link.join(', '), 'X-Total-Count': String(total) };
}
