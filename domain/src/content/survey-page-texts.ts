import { bestLanguage } from '../account/language.ts';

const names = ['survey', 'thanks', 'close', 'answered', 'closed', 'link', 'retry'] as const;

/** What the public page of a survey says itself. */
export type SurveyPageTexts = Record<(typeof names)[number] | 'language', string>;

const english =
  'Survey|Thank you for your answers.|You can close this page.|You have already answered this survey.|This survey is not open.|This link is not valid, or it has expired.|Your answer has not been sent yet. Trying again…';

const translated: Record<string, string> = {
  ar: 'استبيان|شكرًا على إجاباتك.|يمكنك إغلاق هذه الصفحة.|لقد أجبت عن هذا الاستبيان من قبل.|هذا الاستبيان غير مفتوح.|هذا الرابط غير صالح أو انتهت صلاحيته.|لم تُرسل إجابتك بعد. جارٍ إعادة المحاولة…',
  cs: 'Dotazník|Děkujeme za odpovědi.|Tuto stránku můžete zavřít.|Na tento dotazník jste již odpověděli.|Tento dotazník není otevřený.|Tento odkaz není platný nebo vypršel.|Vaše odpověď ještě nebyla odeslána. Zkoušíme to znovu…',
  da: 'Spørgeskema|Tak for dine svar.|Du kan lukke denne side.|Du har allerede besvaret dette spørgeskema.|Dette spørgeskema er ikke åbent.|Dette link er ikke gyldigt eller er udløbet.|Dit svar er ikke sendt endnu. Prøver igen…',
  de: 'Umfrage|Vielen Dank für Ihre Antworten.|Sie können diese Seite schließen.|Sie haben diese Umfrage bereits beantwortet.|Diese Umfrage ist nicht geöffnet.|Dieser Link ist ungültig oder abgelaufen.|Ihre Antwort wurde noch nicht gesendet. Neuer Versuch…',
  el: 'Έρευνα|Ευχαριστούμε για τις απαντήσεις σας.|Μπορείτε να κλείσετε αυτή τη σελίδα.|Έχετε ήδη απαντήσει σε αυτή την έρευνα.|Αυτή η έρευνα δεν είναι ανοιχτή.|Αυτός ο σύνδεσμος δεν είναι έγκυρος ή έχει λήξει.|Η απάντησή σας δεν έχει σταλεί ακόμη. Νέα προσπάθεια…',
  es: 'Encuesta|Gracias por sus respuestas.|Puede cerrar esta página.|Ya ha respondido a esta encuesta.|Esta encuesta no está abierta.|Este enlace no es válido o ha caducado.|Su respuesta aún no se ha enviado. Reintentando…',
  fi: 'Kysely|Kiitos vastauksistasi.|Voit sulkea tämän sivun.|Olet jo vastannut tähän kyselyyn.|Tämä kysely ei ole avoinna.|Tämä linkki ei kelpaa tai on vanhentunut.|Vastaustasi ei ole vielä lähetetty. Yritetään uudelleen…',
  fr: 'Enquête|Merci pour vos réponses.|Vous pouvez fermer cette page.|Vous avez déjà répondu à cette enquête.|Cette enquête n’est pas ouverte.|Ce lien n’est pas valide ou a expiré.|Votre réponse n’a pas encore été envoyée. Nouvel essai…',
  he: 'סקר|תודה על התשובות.|אפשר לסגור את הדף.|כבר ענית על הסקר הזה.|הסקר הזה אינו פתוח.|הקישור אינו תקף או שפג תוקפו.|התשובה עוד לא נשלחה. מנסים שוב…',
  hu: 'Kérdőív|Köszönjük a válaszait.|Bezárhatja ezt az oldalt.|Ezt a kérdőívet már kitöltötte.|Ez a kérdőív nincs nyitva.|Ez a hivatkozás érvénytelen vagy lejárt.|A válasza még nem lett elküldve. Újrapróbálkozás…',
  id: 'Survei|Terima kasih atas jawaban Anda.|Anda dapat menutup halaman ini.|Anda sudah menjawab survei ini.|Survei ini tidak dibuka.|Tautan ini tidak valid atau sudah kedaluwarsa.|Jawaban Anda belum terkirim. Mencoba lagi…',
  it: 'Sondaggio|Grazie per le risposte.|Può chiudere questa pagina.|Ha già risposto a questo sondaggio.|Questo sondaggio non è aperto.|Questo link non è valido o è scaduto.|La risposta non è ancora stata inviata. Nuovo tentativo…',
  ja: 'アンケート|ご回答ありがとうございました。|このページを閉じてください。|このアンケートにはすでに回答済みです。|このアンケートは受け付けていません。|このリンクは無効か、有効期限が切れています。|回答はまだ送信されていません。再試行しています…',
  ko: '설문조사|답변해 주셔서 감사합니다.|이 페이지를 닫으셔도 됩니다.|이미 이 설문에 답변하셨습니다.|이 설문은 열려 있지 않습니다.|이 링크는 유효하지 않거나 만료되었습니다.|답변이 아직 전송되지 않았습니다. 다시 시도하는 중…',
  nb: 'Undersøkelse|Takk for svarene dine.|Du kan lukke denne siden.|Du har allerede svart på denne undersøkelsen.|Denne undersøkelsen er ikke åpen.|Denne lenken er ikke gyldig eller har utløpt.|Svaret ditt er ikke sendt ennå. Prøver igjen…',
  nl: 'Enquête|Bedankt voor uw antwoorden.|U kunt deze pagina sluiten.|U hebt deze enquête al ingevuld.|Deze enquête is niet open.|Deze link is niet geldig of is verlopen.|Uw antwoord is nog niet verzonden. Nieuwe poging…',
  pl: 'Ankieta|Dziękujemy za odpowiedzi.|Możesz zamknąć tę stronę.|Ta ankieta została już przez Ciebie wypełniona.|Ta ankieta nie jest otwarta.|Ten link jest nieprawidłowy lub wygasł.|Odpowiedź nie została jeszcze wysłana. Ponawiamy próbę…',
  pt: 'Pesquisa|Obrigado pelas suas respostas.|Você pode fechar esta página.|Você já respondeu a esta pesquisa.|Esta pesquisa não está aberta.|Este link não é válido ou expirou.|Sua resposta ainda não foi enviada. Tentando de novo…',
  ro: 'Sondaj|Vă mulțumim pentru răspunsuri.|Puteți închide această pagină.|Ați răspuns deja la acest sondaj.|Acest sondaj nu este deschis.|Acest link nu este valid sau a expirat.|Răspunsul nu a fost trimis încă. Se încearcă din nou…',
  ru: 'Опрос|Спасибо за ответы.|Эту страницу можно закрыть.|Вы уже ответили на этот опрос.|Этот опрос закрыт.|Ссылка недействительна или устарела.|Ответ ещё не отправлен. Повторяем попытку…',
  sv: 'Enkät|Tack för dina svar.|Du kan stänga den här sidan.|Du har redan svarat på den här enkäten.|Den här enkäten är inte öppen.|Den här länken är inte giltig eller har gått ut.|Ditt svar har inte skickats än. Försöker igen…',
  tr: 'Anket|Yanıtlarınız için teşekkürler.|Bu sayfayı kapatabilirsiniz.|Bu anketi zaten yanıtladınız.|Bu anket açık değil.|Bu bağlantı geçersiz veya süresi dolmuş.|Yanıtınız henüz gönderilmedi. Yeniden deneniyor…',
  uk: 'Опитування|Дякуємо за відповіді.|Цю сторінку можна закрити.|Ви вже відповіли на це опитування.|Це опитування закрите.|Посилання недійсне або застаріле.|Відповідь ще не надіслано. Повторюємо спробу…',
  vi: 'Khảo sát|Cảm ơn bạn đã trả lời.|Bạn có thể đóng trang này.|Bạn đã trả lời khảo sát này.|Khảo sát này không mở.|Liên kết này không hợp lệ hoặc đã hết hạn.|Câu trả lời chưa được gửi. Đang thử lại…',
  zh: '调查|感谢您的回答。|您可以关闭此页面。|您已回答过此调查。|此调查未开放。|此链接无效或已过期。|您的回答尚未发送，正在重试…',
  'zh-TW':
    '問卷|感謝您的回答。|您可以關閉此頁面。|您已回答過此問卷。|此問卷未開放。|此連結無效或已過期。|您的回答尚未送出，正在重試…',
};

const texts = new Map(Object.entries(translated));
for (const code of ['no', 'nn']) texts.set(code, texts.get('nb') ?? '');
for (const code of ['zh-HK', 'zh-MO', 'zh-Hant']) texts.set(code, texts.get('zh-TW') ?? '');

/** The texts in the language of a browser, else in English. */
export function surveyPageTexts(browserLanguage: string | null): SurveyPageTexts {
  const language = bestLanguage(browserLanguage, texts);
  const all = (texts.get(language) ?? english).split('|');
  const named = Object.fromEntries(names.map((name, at) => [name, all[at] ?? '']));
  return { ...named, language: texts.has(language) ? language : 'en' } as SurveyPageTexts;
}
