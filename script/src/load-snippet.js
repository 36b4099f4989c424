!function(d,u){var n=d.currentScript.nonce;function a(t,p){d.head.appendChild(Object.assign(d.createElement(t),{nonce:n},p))}
function s(){a('script',{src:u})}a('link',{rel:'preload',as:'script',href:u,onload:s,onerror:s})
}(document,'https://usher.example.com/script/ACCOUNT_TOKEN.js');
