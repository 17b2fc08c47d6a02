/** Words, names and runs of keys that many passwords are made of, in lower case. */
export const COMMON_PARTS = `
password passwort passwd passphrase kennwort geheim secret private admin administrator root master
letmein welcome willkommen hello hallo login signin access default changeme change temp guest user test
testing iloveyou loveyou love lovely baby angel princess prinzessin sunshine shadow flower butterfly
monkey dragon tiger lion eagle falcon panther chicken football fussball soccer baseball basketball
hockey tennis golf superman batman spiderman pokemon naruto starwars matrix ninja hunter killer warrior
ranger soldier freedom liberty trustno whatever nothing something correct horse battery staple
computer internet google facebook instagram twitter whatsapp linkedin microsoft windows apple samsung
android iphone amazon netflix youtube gmail hotmail yahoo mustang ferrari porsche mercedes harley
corvette yamaha honda toyota cheese cookie chocolate coffee banana orange apple pepper ginger summer
sommer winter spring autumn herbst january february march april june july august september october
november december monday tuesday wednesday thursday friday saturday sunday michael jennifer jessica
jordan thomas robert daniel andrew joshua matthew charlie george michelle nicole ashley amanda samantha
alexander maximilian berlin london paris newyork america deutschland canada arsenal liverpool chelsea
barcelona juventus manchester united real madrid blink metallica nirvana slipknot eminem
qwertyuiop qwertzuiop asdfghjkl yxcvbnm zxcvbnm qwerty qwertz azerty qazwsx wsxedc asdf zxcv
abcdefghijklmnopqrstuvwxyz abcdef abc aaa
form forms collection service formcollection submission submissions
`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);

/** Rows of keys and of letters, parts of which many passwords are made of. */
export const KEY_RUNS = [
  '01234567890',
  '09876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfedcba',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];
