/**
 * Returns the name of a field as a person reads it: `first_name` and `firstName` are "First name".
 * A name that is already written in words, or holds anything but letters, digits, `_`, `-` and `.`,
 * stays as it is. Of a path such as `form.webhook_url` the last part counts.
 */
export function fieldLabel(name: string): string {
  if (!/^[a-z][\w.-]*$/i.test(name)) return name;
  const last = name.split('.').findLast((part) => part !== '') ?? name;
  const spaced = last
    .replace(
      /([a-z\d])([A-Z])/g,
      (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
    )
    .replace(/[_-]+/g, ' ')
    .trim();
  return spaced === '' ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
